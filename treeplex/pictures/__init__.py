"""Pictures of game trees."""
