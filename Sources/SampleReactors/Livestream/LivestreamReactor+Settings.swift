import Refold

extension LivestreamReactor {
  /// The key of the setting that says whether the onboarding was shown before.
  static let onboardingKey = "onboarding"

  /// What `settings` say of the onboarding; nil where they say nothing: then what the log says holds.
  ///
  /// - Throws: `SettingsError.invalidValue` for another word than `shown` and `new`.
  static func wasOnboardingShown(_ settings: Settings) throws -> Bool? {
    switch settings[onboardingKey] {
    case nil: nil
    case "shown": true
    case "new": false
    case let word?:
      throw SettingsError.invalidValue(word, key: onboardingKey, expected: "shown or new")
    }
  }
}
