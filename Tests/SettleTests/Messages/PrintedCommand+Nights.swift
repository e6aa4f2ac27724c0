extension PrintedCommand {
  static let runs = [
    Situation(
      name: "a batch that is settled already", places: ["RepeatedCommand.swift: words"], before: "night 1",
      provoking: "settle run 1.jsonl --output 'out 1' -q --ledger 'the ledger' --witness w; settle run 1.jsonl "
        + "--output='my out' --ledger 'the ledger' --witness w --control-totals warn", exitCode: 3,
      commands: [
        Pasted(
          """
            settle run 1.jsonl '--output=my out' --ledger 'the ledger' --witness w --control-totals warn --republish
          """)
      ]),
    Situation(
      name: "a night whose reports are gone", places: ["NightFigures.swift: run"], before: "night 1; rm -r 'out 1'",
      provoking:
        """
        settle statement --ledger 'the ledger' --since 2025-01-01 --until 2099-12-31 --account anna@x.example \
        --format csv --output o
        """, exitCode: 74,
      commands: [Pasted("settle run 1.jsonl --ledger 'the ledger' --output DIR --republish", 0, ["DIR": "'out 1'"])]),
    Situation(
      name: "a payout that the ledger does not have", places: ["AskedPayout.swift: history"], before: "night 1",
      provoking: "settle statement --ledger 'the ledger' --payout 3 --format csv --output o", exitCode: 64,
      commands: [Pasted("settle history --ledger 'the ledger' --payouts")]),
    Situation(
      name: "payments that do not add up to what the ledger has", places: ["ContentsSearch.swift: verify"],
      before: "shop; night 1; pay 1; sed -i s/0.64,9.36/0.65,9.35/ 'out 1/settlement.csv'",
      provoking: "settle find P1-1 --ledger 'the ledger' --payments", exitCode: 74,
      commands: [Pasted("settle verify 'FOLDER/out 1'", 1)]),
    Situation(
      name: "a ledger that may be out of date", places: ["LedgerHistory.swift: ledger verify"],
      before: "night 1; cp 'the ledger' copy; night 2; cp copy 'the ledger'",
      provoking: "settle history --ledger 'the ledger'", exitCode: 0,
      commands: [Pasted("settle ledger verify 'the ledger'", 1)]),
  ]

  static let statuses = [
    Situation(
      name: "status: the ledger may be out of date", places: ["StatusReport.swift: ledger verify"],
      before: "night 1; cp 'the ledger' copy; night 2; cp copy 'the ledger'",
      provoking: "settle status --ledger 'the ledger'",
      exitCode: 1, commands: [Pasted("\n       settle ledger verify 'the ledger'\n", 1)]),
    Situation(
      name: "status: reports are gone, and there is no backup",
      places: ["StatusReport.swift: run (2)", "StatusReport.swift: ledger backup"], before: "night 1; rm -r 'out 1'",
      provoking: "settle status --ledger 'the ledger' --backup 'the copy'", exitCode: 1,
      commands: [
        Pasted("\n       settle run 1.jsonl --ledger 'the ledger' --output 'FOLDER/out 1' --republish\n"),
        Pasted("\n       settle ledger backup 'the ledger' 'the copy.new' && mv 'the copy.new' 'the copy'\n"),
      ]),
    Situation(
      name: "status: a payout does not verify", places: ["StatusReport+Payouts.swift: verify"],
      before: "shop; night 1; pay 1; echo >>pay/1/payouts.csv", provoking: "settle status --ledger 'the ledger'",
      exitCode: 1, commands: [Pasted("\n       settle verify FOLDER/pay/1 --ledger 'the ledger'\n", 1)]),
    Situation(
      name: "status: a payout's directory is gone", places: ["StatusReport+Payouts.swift: history"],
      before: "shop; night 1; pay 1; rm -r pay/1", provoking: "settle status --ledger 'the ledger'", exitCode: 1,
      commands: [Pasted("\n       settle history --ledger 'the ledger' --payouts --last 1\n")]),
    Situation(
      name: "status: a payout without its figures", places: ["StatusReport+Payouts.swift: verify (2)"],
      before: "shop; night 1; pay 1; echo x >pay/1/payouts.json", provoking: "settle status --ledger 'the ledger'",
      exitCode: 74, commands: [Pasted("settle verify FOLDER/pay/1\n", 1)]),
    Situation(
      name: "status: balances that wait for someone", places: [],
      before: "shop; night 1; sed -i 2d payees.csv; ! pay 1", provoking: "settle status --ledger 'the ledger'",
      exitCode: 1, commands: [Pasted("\n       grep -E 'NO_PAYEE' FOLDER/pay/1/carried.csv\n")]),
    Situation(
      name: "status: a payout of a copy", places: [],
      before:
        """
        shop; night 1; mkdir copy; cp 'the ledger' 'the ledger-lock' copy
        settle payout --ledger 'copy/the ledger' --payees payees.csv --date \(today) --output 'pay/of copy'
        """, provoking: "settle status --ledger 'the ledger' --payouts pay", exitCode: 1,
      commands: [Pasted("\n       settle payout adopt 'pay/of copy' --ledger 'the ledger'\n")]),
  ]

  /// The steps of a batch of one shard, all of them done.
  private static let steps = """
    record 1 >1.jsonl; settle shard plan 1.jsonl --work 'the work' --shards 1
    settle shard hash 0 --work 'the work'; settle shard run 0 --work 'the work'; settle shard gather --work 'the work'
    settle shard claims --level 0 --work 'the work'; settle shard finish 0 --level 0 --work 'the work'
    settle shard finish 0 --level 2 --work 'the work'

    """
  /// The steps up to gathering, with a ledger.
  private static let gathered = """
    night 1; record 2 >2.jsonl; settle shard plan 2.jsonl --work 'the work' --ledger 'the ledger'
    settle shard hash 0 --work 'the work'; settle shard run 0 --work 'the work'; settle shard gather --work 'the work'

    """

  static let shards =
    [
      ("hash-0", "hash 0"), ("run-0", "run 0"), ("gather", "gather"), ("verdicts-0", "claims --level 0"),
      ("done-0-2", "finish 0 --level 2"),
    ].map { step, command in
      Situation(
        name: "a step that is damaged: \(step)",
        places: ["StepRepair.swift: shard \(command.split(separator: " ")[0])"],
        before: steps + "rm 'the work/\(step)/SHA256SUMS'", provoking: "settle merge 'the work' --output out",
        exitCode: 74,
        commands: [Pasted("rm -r 'the work/\(step)' && settle shard \(command) --work 'the work'")])
    } + [
      Situation(
        name: "a plan that is lost", places: ["ShardWork.swift: shard plan (3)"],
        before: steps + "rm 'the work/plan.json'",
        provoking: "settle merge 'the work' --output out", exitCode: 66,
        commands: [
          Pasted(
            "rm -r 'the work'/done-* 'the work'/gather 'the work'/hash-* 'the work'/run-* 'the work'/verdicts-* && "
              + "settle shard plan BATCH... --work 'the work'", 0, ["BATCH...": "1.jsonl"])
        ]),
      Situation(
        name: "shards that were gathered before another run", places: ["ShardMerge+Entries.swift: shard gather"],
        before: gathered + "night 3", provoking: "settle merge 'the work' --output out", exitCode: 75,
        commands: [Pasted("settle shard gather --again --work 'the work'")]),
      Situation(
        name: "a step of another gathering", places: ["ShardGather.swift: shard gather"],
        before: gathered
          + """
          settle shard claims --level 0 --work 'the work'; cp -r 'the work/verdicts-0' kept; night 3
          settle shard gather --again --work 'the work'; cp -r kept 'the work/verdicts-0'
          """, provoking: "settle shard finish 0 --level 0 --work 'the work'", exitCode: 78,
        commands: [Pasted("settle shard gather --again --work 'the work'")]),
    ]
}
