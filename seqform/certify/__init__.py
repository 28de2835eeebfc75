"""Certificates by best responses, on profiles and on every real board; losses; lower bounds; AIVAT."""
