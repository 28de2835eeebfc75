"""Certificates of split strategies: subgames judged flop by flop, their values carried up the trunk."""
