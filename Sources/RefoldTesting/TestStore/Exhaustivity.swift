/// How much of what happens a test has to assert.
public enum Exhaustivity: Hashable, Sendable {
  /// Everything: each mutation, each change of the state, the end of each effect.
  case on
  /// What the test names must hold; what it leaves out may be anything.
  ///
  /// With `showSkipped`, what was left out is recorded as known issues, which do not fail the test.
  case off(showSkipped: Bool)

  /// What the test names must hold; what it leaves out may be anything.
  public static var off: Exhaustivity { .off(showSkipped: false) }

  var isOn: Bool { self == .on }
}
