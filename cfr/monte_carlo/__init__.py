"""Monte Carlo CFR on enumerated games, public trees and rules."""
