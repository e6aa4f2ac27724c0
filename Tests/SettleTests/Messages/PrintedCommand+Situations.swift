extension PrintedCommand {
  static let situations = ledgers + payouts + runs + statuses + shards

  private static let ledgers = [
    Situation(
      name: "a ledger that is behind its lock file", places: ["Failure+Ledger.swift: ledger adopt"],
      before: "night 1; cp 'the ledger' copy; night 2; cp copy 'the ledger'", provoking: "night 3", exitCode: 74,
      commands: [Pasted("  settle ledger adopt 'the ledger' --witness w")]),
    Situation(
      name: "a ledger that is behind, and has no lock file", places: [],
      before:
        """
        record 1 >1.jsonl; settle run 1.jsonl --output o --ledger 'the ledger'; cp 'the ledger' copy
        record 2 >2.jsonl; settle run 2.jsonl --output p --ledger 'the ledger'; cp copy 'the ledger'; rm 'the ledger-lock'
        """,
      provoking: "record 3 >3.jsonl; settle run 3.jsonl --output q --ledger 'the ledger'", exitCode: 74,
      commands: [Pasted("  settle ledger adopt 'the ledger' --last-payout N", 0, ["N": "0"])]),
    Situation(
      name: "a witness that is not there", places: [], before: "night 1; rm w", provoking: "night 2", exitCode: 74,
      commands: [Pasted("  settle ledger adopt 'the ledger' --witness w")]),
    Situation(
      name: "a damaged ledger", places: [],
      before: "night 1; cp 'the ledger' copy; head -c 4096 /dev/zero | dd of='the ledger' conv=notrunc status=none",
      provoking: "night 2", exitCode: 74, repair: "cp copy 'the ledger'",
      commands: [Pasted("  settle ledger adopt 'the ledger' --witness w")]),
    Situation(
      name: "a lost ledger", places: ["Failure+Ledger.swift: run", "Failure+Ledger.swift: payout adopt"],
      before: "shop; night 1; pay 1; rm 'the ledger'", provoking: "night 2", exitCode: 74,
      commands: [
        Pasted(
          "  settle run BATCH --output DIRECTORY --ledger 'the ledger' --adopt --witness w", 0,
          ["BATCH": "1.jsonl", "DIRECTORY": "'out 1'"]),
        Pasted(
          "  settle payout adopt DIRECTORY --ledger 'the ledger' --witness w", 0, ["DIRECTORY": "pay/1"]),
      ]),
    Situation(
      name: "a booking in a month that is over", places: ["RunLedger+Change.swift: balances"],
      before:
        #"""
        { echo '{"type":"header","batchId":"b","createdAt":"2025-10-20T20:00:00Z"}'; record 1
          echo '{"type":"trailer","recordCount":1,"totals":{"EUR":"10.00"}}'; } >1.jsonl
        """#,
      provoking: "settle run 1.jsonl --output out --ledger 'the ledger'", exitCode: 0,
      commands: [Pasted("settle balances --ledger 'the ledger' --until 2025-10-31")]),
    Situation(
      name: "a past day that is not closed", places: ["PeriodOptions.swift: payout"],
      before: """
        shop
        echo '{"type":"header","batchId":"b","createdAt":"2025-10-30T00:00:00Z"}' >n
        record 1 >>n && echo '{"type":"trailer","recordCount":1,"totals":{"EUR":"10.00"}}' >>n
        settle run n --output "out 1" --ledger 'the ledger' --witness w
        """, provoking: "settle balances --ledger 'the ledger' --until 2025-10-31", exitCode: 0,
      commands: [
        Pasted(
          "settle payout --no-payments --date 2025-11-01 --ledger 'the ledger' --payees PAYEES --output DIR", 0,
          ["PAYEES": "payees.csv", "DIR": "pay/1"])
      ]),
    Situation(
      name: "an account that no one knows", places: ["LedgerReading+Nights.swift: balances"], before: "night 1",
      provoking:
        """
        settle statement --ledger 'the ledger' --since 2025-01-01 --until 2099-12-31 --account ghost@x.example \
        --format csv --output o
        """, exitCode: 64, commands: [Pasted("settle balances --ledger 'the ledger' --format csv")]),
  ]

  private static let payouts = [
    Situation(
      name: "a payout that the ledger lacks", places: ["LedgerWords.swift: payout adopt"],
      before: "shop; night 1; cp 'the ledger' copy; pay 1; cp copy 'the ledger'; counted", provoking: "pay 2",
      exitCode: 74, commands: [Pasted("  settle payout adopt pay/1 --ledger 'the ledger' --witness w")]),
    Situation(
      name: "a payout that is lost", places: ["LedgerWords.swift: ledger adopt"],
      before: "shop; night 1; cp 'the ledger' copy; pay 1; cp copy 'the ledger'; rm -r pay/1; counted",
      provoking: "pay 2", exitCode: 74,
      commands: [Pasted("  settle ledger adopt 'the ledger' --give-up 1 --witness w")]),
    Situation(
      name: "a payout of a copy", places: [],
      before:
        """
        shop; night 1; mkdir copy; cp 'the ledger' 'the ledger-lock' copy
        settle payout --ledger 'copy/the ledger' --payees payees.csv --date \(today) --output 'pay/of copy'
        """, provoking: "pay 2", exitCode: 74,
      commands: [Pasted("  mkdir -p pay/set-aside/1 && mv 'pay/of copy' pay/set-aside/1")]),
    Situation(
      name: "a payout whose directory is gone", places: ["GoneDirectories.swift: words"],
      before: "shop; night 1; pay 1 --minimum EUR=1; rm -r pay/1; night 2", provoking: "pay 2", exitCode: 0,
      commands: [
        Pasted(
          """
            settle payout --ledger 'the ledger' --witness w --payees PAYEES --date TODAY --execution-date TODAY \
          --until 1 --minimum EUR=1.00 --output FOLDER/pay/1 --republish
          """, 0, ["PAYEES": "payees.csv"])
      ]),
    Situation(
      name: "another SHA256SUMS in a payout's directory, found by the next payout", places: [],
      before: "shop; night 1; pay 1; echo >>pay/1/SHA256SUMS; night 2", provoking: "pay 2", exitCode: 74,
      commands: [
        Pasted("  mkdir -p pay/set-aside/1 && mv pay/1 pay/set-aside/1"),
        Pasted(
          """
            settle payout --ledger 'the ledger' --witness w --payees PAYEES --date TODAY --execution-date TODAY \
          --until 1 --output FOLDER/pay/1 --republish
          """, 0, ["PAYEES": "payees.csv"]),
      ]),
    Situation(
      name: "another SHA256SUMS in a payout's directory, found by the same payout", places: [],
      before: "shop; night 1; pay 1; echo >>pay/1/SHA256SUMS", provoking: "pay 1", exitCode: 3,
      commands: [
        Pasted("  mkdir -p FOLDER/pay/set-aside/1 && mv FOLDER/pay/1 FOLDER/pay/set-aside/1"),
        Pasted(
          """
            settle payout --ledger 'the ledger' --witness w --payees payees.csv --date TODAY --output pay/1 --republish
          """),
      ]),
    Situation(
      name: "a payout that cannot be adopted", places: [],
      before:
        """
        shop; night 1; cp 'the ledger' copy; pay 1; cp copy 'the ledger'; counted; echo >>pay/1/payouts.csv
        """, provoking: "entered pay/1", exitCode: 74, repair: "mkdir -p away && mv pay/1 away",
      commands: [Pasted("  settle ledger adopt 'the ledger' --give-up 1 --witness w")]),
    Situation(
      name: "a payout of nights that the ledger lacks", places: ["LedgerWords.swift: run"],
      before: "shop; night 1; cp 'the ledger' copy; night 2; pay 1 --since 2; cp copy 'the ledger'; counted",
      provoking: "entered pay/1", exitCode: 74,
      commands: [
        Pasted(
          "  settle run BATCH --output DIRECTORY --ledger 'the ledger' --adopt --witness w", 0,
          ["BATCH": "2.jsonl", "DIRECTORY": "'out 2'"])
      ]),
  ]
}
