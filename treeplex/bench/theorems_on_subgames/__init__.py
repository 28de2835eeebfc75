"""Theorems on subgames solved again: safety, margins, gifts, estimates, on trees and boards."""
