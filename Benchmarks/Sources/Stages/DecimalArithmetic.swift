import ExactArithmetic
import Input
import Records
import Text

/// One operation on the decimals of payments: subtotals, and prices, counts and totals of their items.
///
/// Each operation is measured twice: with the decimals as they are, whose coefficients are inline, and with 38 more
/// digits in front of them, so that every number of the operation needs GMP.
final class DecimalArithmetic: PreparedStage {
  /// The operations.
  enum Operation: String, CaseIterable {
    /// Text to number: every decimal.
    case parse
    /// A running sum of every decimal.
    case add
    /// Price times count, exactly.
    case multiply
    /// A fee on every decimal: 2.9 % and a fixed part, rounded once.
    case fusedProduct = "fused product"
    /// Every price times its count, rounded to cents.
    case quantize
    /// Number to text: every decimal.
    case print
  }

  let bytes: Int
  let payments: Int
  private let operation: Operation
  private let isWide: Bool
  private var texts = TextBuffer(capacity: 1 << 16)
  private var places: [Range<Int>] = []
  private var operands: [ExactDecimal] = []
  /// The indices of the prices, each of which is followed by its count.
  private var prices: [Int] = []
  private var results: [ExactDecimal] = []
  private var sum = ExactDecimal.zero
  private var output = TextBuffer(capacity: 1 << 16)

  init(payments: Int, _ operation: Operation, isWide: Bool) throws {
    self.operation = operation
    self.isWide = isWide
    let sample = try SampleLines(payments: payments)
    self.payments = payments
    bytes = sample.bytes
    collect(sample)
    operands = places.map { parsed($0) }
    if operation == .quantize { operands = prices.map { operands[$0] * operands[$0 + 1] } }
    results = Array(repeating: .zero, count: operands.count)
  }

  // MARK: Operands

  private func collect(_ sample: SampleLines) {
    var scanner = RecordScanner()
    for line in sample.lines {
      precondition(scanner.scan(line.span, .inPlace) == .object, "a sample payment is not an object")
      for row in 0..<scanner.rowCount {
        let subtotal = scanner.receiverField(.subtotal, row: row)
        if !subtotal.isAbsent { take(subtotal, of: line) }
      }
      for item in 0..<scanner.itemCount {
        prices.append(places.count)
        for field: ItemField in [.itemPrice, .itemCount, .totalPrice] {
          take(scanner.itemField(field, item: item), of: line)
        }
      }
    }
  }

  private func take(_ slice: JSONSlice, of line: SampleLines.Line) {
    let start = texts.count
    if isWide { texts.append("12345678901234567890123456789012345678") }
    texts.append(slice.text(in: line.span))
    places.append(start..<texts.count)
  }

  private func parsed(_ place: Range<Int>) -> ExactDecimal { Self.parsed(place, of: texts) }

  private static func parsed(_ place: Range<Int>, of texts: borrowing TextBuffer) -> ExactDecimal {
    let text = texts.span.extracting(place)
    return DecimalLiteral.scan(text, digitLimit: 64, exponentLimit: 64).decimal(text: text)
  }

  // MARK: Operations

  func run() throws {
    switch operation {
    case .parse: for (index, place) in places.enumerated() { results[index].set(parsed(place)) }
    case .add:
      sum = .zero
      for operand in operands { sum.add(operand) }
    case .multiply: for price in prices { results[price].set(operands[price] * operands[price + 1]) }
    case .fusedProduct: addFees()
    case .quantize:
      for index in operands.indices { results[index].set(operands[index].quantized(to: -2, rounding: .halfUp)) }
    case .print:
      output.removeAll()
      for operand in operands {
        output.append(operand)
        output.append(UInt8(ascii: "\n"))
      }
    }
  }

  private func addFees() {
    let rate = ExactDecimal(29, exponent: -3)
    let fixed = ExactDecimal(30, exponent: -2)
    for index in operands.indices {
      results[index].set(
        ExactDecimal.quantizedProductSum(rate, operands[index], plus: fixed, to: -2, rounding: .halfUp))
    }
  }

  func resultHash() throws -> UInt64 {
    var hash = ResultHash()
    for result in results { hash.add(result) }
    hash.add(sum)
    output.withSpan { hash.add($0) }
    return hash.value
  }
}
