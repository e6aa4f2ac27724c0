import ExactArithmetic
import Input
import Money

/// A block of up to 2,048 payments: its text, compressed if asked for, and its control totals.
///
/// A block can be filled on any thread, one at a time. Blocks are reused and keep their memory.
final class SampleBlock: @unchecked Sendable {  // One thread at a time fills it.
  /// The most payments of a block. Changing it changes the batch of a seed.
  static let payments = 2048

  private let options: SampleBatchOptions
  private let isLZ4: Bool
  private var composer: PaymentComposer
  /// The text's parts, each compressed.
  private var stored: [[UInt8]] = []

  init(of options: SampleBatchOptions, isLZ4: Bool) {
    self.options = options
    self.isLZ4 = isLZ4
    composer = PaymentComposer(options)
  }

  var count: Int { composer.text.count }

  func withText(_ body: (Span<UInt8>) throws -> Void) throws { try composer.text.withSpan(body) }

  /// The sums of the control amounts, and the number of records.
  var control: SampleControl { composer.control }

  /// Makes block `number` of the batch, from 0; the first one begins with the header.
  func make(_ number: Int) {
    composer.begin()
    if number == 0 {
      composer.text.append(#"{"type":"header","batchId":"\#(options.batchID)",""#)
      composer.text.append(#"createdAt":"\#(options.day(ofNight: options.night + 1).text)T00:00:00Z"}"# + "\n")
    }
    if options.features.contains(.preapprovals) { composer.composeAgreements(block: number) }
    let earlier = options.night - 1 - number % 3
    if options.features.contains(.refunds), earlier > 0 { composePayments(ofNight: earlier, block: number) }
    composePayments(ofNight: options.night, block: number)
    compress()
  }

  /// Makes the payments of a block, or draws those of an earlier night again for their refunds.
  private func composePayments(ofNight night: Int, block: Int) {
    composer.restart(night: night, block: block)
    let first = block * SampleBlock.payments
    let defects = DefectPlan(options)
    for index in first..<min(first + SampleBlock.payments, options.payments) {
      composer.compose(index, defect: defects.assignment(of: index))
    }
  }

  /// Makes the last line, the trailer.
  func makeTrailer(_ control: SampleControl) {
    func object(_ totals: [Currency: ExactDecimal]) -> String {
      let sums = totals.sorted { $0.key < $1.key }.map { #""\#($0.key.code)":"\#($0.value)""# }
      return "{\(sums.joined(separator: ","))}"
    }
    composer.text.removeAll()
    composer.text.append(#"{"type":"trailer","recordCount":\#(control.records),"#)
    composer.text.append(#""totals":\#(object(control.totals))"#)
    if options.features.contains(.refunds) {
      composer.text.append(#","refundTotals":\#(object(control.refundTotals))"#)
    }
    composer.text.append("}\n")
    compress()
  }

  private func compress() {
    guard isLZ4 else { return }
    stored = composer.text.withSpan { text in
      LZ4FrameWriter.blocks(of: text.count).map { LZ4FrameWriter.compressBlock(text.extracting($0)) }
    }
  }

  /// Writes the compressed text.
  func append(to frame: LZ4FrameWriter) throws {
    try withText { text in
      for (part, block) in zip(LZ4FrameWriter.blocks(of: text.count), stored) {
        try frame.append(block.span, of: text.extracting(part))
      }
    }
  }
}
