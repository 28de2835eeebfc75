"""Flat tables of blueprints by betting line and bucket, deals, and traversals that write into them."""
