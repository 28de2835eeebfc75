"""Cases of challenges: explicit games with strategies and cuts, drawn at random and made smaller."""
