"""Answers to bets that the defender's menus lack: nested solving on boards, one bet at a time."""
