/// How much goes into a page. A session within all of these is shown whole; of a longer one the
/// page has a part, says so, and names the command for the rest.
struct PageCapacity: Sendable {
  /// Bytes of states: keyframes, and the patches between them. A browser opens a page of some dozens
  /// of megabytes in a second or two.
  var stateBytes = 12 << 20
  /// Bytes of payloads.
  var payloadBytes = 12 << 20
  /// Bytes of one payload: a longer one is not read in a browser.
  var onePayloadBytes = 256 << 10
  /// Bytes of states that are encoded to find what changed, which takes about 3 seconds a gigabyte.
  var encodedBytes = 4 << 30
  /// Bytes of screens: keyframes, and the patches between them.
  var screenBytes = 12 << 20

  /// The limits of the tool.
  static let standard = PageCapacity()
}

/// How much of a session a page has.
struct PageDensity: Equatable, Sendable {
  /// There is a state for every so many events, counted from the first one of the page.
  var stateStride = 1
  /// There is a payload for every so many events.
  var payloadStride = 1
}

/// What a page has room for no longer, `share` of the events into it.
enum PageOverflow: Error {
  case states(share: Double)
  case payloads(share: Double)

  /// The next density to try: thinner in proportion to what did not fit, and a power of two, so
  /// that a few tries do.
  func thinned(_ density: PageDensity) -> PageDensity {
    var thinner = density
    switch self {
    case .states(let share): thinner.stateStride *= Self.factor(share)
    case .payloads(let share): thinner.payloadStride *= Self.factor(share)
    }
    return thinner
  }

  private static func factor(_ share: Double) -> Int {
    var factor = 2
    while Double(factor) * share < 1, factor < 1 << 20 { factor *= 2 }
    return factor
  }
}
