/// Where `finish` gets the bytes of a batch file from.
public enum ShardSource {
  /// The file's path in the plan.
  case file
  /// Standard input, which has the bytes from the shard's first byte on.
  case standardInput
  /// Standard input, which answers each question that is written to the output (`RemoteBatch`).
  case questions(ShardWork.Output)
}
