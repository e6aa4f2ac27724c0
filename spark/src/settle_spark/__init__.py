"""Settles a batch in shards on an Apache Spark cluster: Spark schedules the steps of `settle shard`."""
