/// The middle of some values, and how far they lie apart.
package struct Spread: Codable, Equatable, Sendable {
  package let median: Double
  package let least: Double
  package let most: Double

  /// That of `values`; nil where there is none.
  ///
  /// - Complexity: O(n log n) for n values.
  package init?(_ values: [Double]) {
    let sorted = values.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    // The same place twice where their number is odd.
    median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    (least, most) = (first, last)
  }
}
