"""Two game files of the Annual Computer Poker Competition."""

KUHN = """GAMEDEF
limit
numPlayers = 2
numRounds = 1
blind = 1 1
raiseSize = 1
firstPlayer = 1
maxRaises = 1
numSuits = 1
numRanks = 3
numHoleCards = 1
numBoardCards = 0
END GAMEDEF
"""


LEDUC = """gamedef

LIMIT
  NUMPLAYERS=2
numrounds   =   2
Blind = 1 1
raisesize = 2 4
maxraises = 2 2
numsuits = 2
numranks = 3
numholecards = 1
numboardcards = 0 1
# that is all

end GameDef

"""
