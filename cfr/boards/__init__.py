"""Regret minimisation on boards (betting times boards), by hand or with hands tied by bucket; CFR-BR."""
