"""Pictures of game trees and of the course of runs, and the colours of all pictures."""
