"""Regret minimisers on trees and public trees. Floor 2, beside ``gadgets``: imports ``seqform`` and below."""
