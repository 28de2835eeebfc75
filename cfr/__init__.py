"""Regret minimisers on trees and on public trees. Floor 2, beside ``gadgets``: imports ``seqform`` and below."""
