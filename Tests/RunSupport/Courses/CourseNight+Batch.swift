import BatchRun
import Rules
import Synchronization

/// Nights as `settle run` takes them.
extension CourseNight {
  private static let schedules = Mutex<[String: FeeSchedule]>([:])

  /// Nights as a batch, with the first one's header and a trailer.
  static func text(
    _ nights: [CourseNight], _ control: (payments: [String: Int], refunds: [String: Int])
  ) -> String {
    let day = nights[0].day.map { #","createdAt":"\#($0.text)T23:00:00Z""# } ?? ""
    let records = nights.flatMap(\.records)
    func totals(_ sums: [String: Int]) -> String {
      let members = sums.sorted { $0.key < $1.key }.map { #""\#($0)":"\#(CourseRecord.amount($1, $0))""# }
      return "{\(members.joined(separator: ","))}"
    }
    let trailer =
      #"{"type":"trailer","recordCount":\#(records.count),"totals":\#(totals(control.payments)),"#
      + #""refundTotals":\#(totals(control.refunds))}"#
    return ([#"{"type":"header"\#(day)}"#] + records.map(\.json) + [trailer]).joined(separator: "\n") + "\n"
  }

  /// The options with its rules.
  static func options(_ night: CourseNight, threads: Int) throws -> RunOptions {
    var options = RunOptions(threads: threads, plainChunkLength: 2000)
    options.rules.refundWindow = night.window
    options.rules.schedule = try schedules.withLock { known in
      let name = "\(night.rate) \(night.returnsFees)"
      if let schedule = known[name] { return schedule }
      let text = String(decoding: FeeSchedule.published.text, as: UTF8.self)
        .replacing(#""rate": "0.029""#, with: #""rate": "\#(night.rate)e-3""#)
        .replacing(#""rounding""#, with: #""refunds": "\#(night.returnsFees ? "RETURN" : "KEEP")", "rounding""#)
      let schedule = try FeeSchedule(json: Array(text.utf8))
      known[name] = schedule
      return schedule
    }
    return options
  }
}
