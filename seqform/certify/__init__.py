"""Certificates of profiles by best responses, how wide they may be, and at which infosets profiles lose."""
