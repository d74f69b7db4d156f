/// A state that is shown as sections of items. `refold diff --sections` finds what changed in them.
///
///     extension CartReactor.State: SectionsPresenting {
///       var sections: [SectionModel<Kind, CartItem>] { … }
///     }
public protocol SectionsPresenting: Sendable {
  /// What a section is; its text names the section for people.
  associatedtype SectionID: Hashable, Sendable, CustomStringConvertible
  /// What a section holds. Its text says what is shown of it; that of its id names it.
  associatedtype Item: Identifiable, Equatable, Sendable, CustomStringConvertible
  where Item.ID: Sendable & CustomStringConvertible

  /// What is on screen, in order. Ids of sections and of items are unique.
  var sections: [SectionModel<SectionID, Item>] { get }
}

/// A state that has a screen. `refold screen` draws it as it was at any position of a session.
///
///     extension CartReactor.State: ScreenPresenting {
///       func screen() throws -> Screen { Screen(title: "Cart", sections: …) }
///     }
public protocol ScreenPresenting: Sendable {
  /// What stands on screen in this state. What is to be shown once, pulses, is left out.
  ///
  /// - Throws: `SectionsError`, where the screen cannot be drawn.
  func screen() throws -> Screen

  /// What is on screen in this state, with what has been news since `earlier`: the alert of a pulse
  /// that was assigned meanwhile. By default there are no news.
  ///
  /// - Parameter earlier: the state before the last action, which took what had been news from the
  ///   screen.
  /// - Throws: `SectionsError`, where the screen cannot be drawn.
  func screen(since earlier: Self) throws -> Screen
}

extension ScreenPresenting {
  /// What stands on screen, without news.
  public func screen(since earlier: Self) throws -> Screen { try screen() }
}
