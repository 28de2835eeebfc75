"""Game trees and public trees as flat arrays, compiled from the rules of games."""
