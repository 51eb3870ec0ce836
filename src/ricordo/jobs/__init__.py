"""Durable background work. It knows the queue and no task: each feature defines its own."""
