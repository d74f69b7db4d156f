import EventStoreCore

/// Everything the screens know and do: where in the session we are, what is listed, what is typed.
///
/// Belongs to one thread, which hands it keys, calls `tick` when `wait` says so, and shows what it
/// draws. Knows no terminal, and no reactor but through `StateAnswering`.
final class TimeMachineModel {
  /// What the model wants of whoever runs it.
  enum Wish {
    case quit
    case interrupt
    case suspend
    case redraw
  }

  /// What is shown instead of the panes.
  enum Overlay {
    case text(title: String, TextPane)
    case bookmarks(selected: Int)
  }

  /// What a walk along the events is for.
  enum Errand {
    case step(actions: Bool)
    case hit(SearchPattern)
  }

  let info: SessionInfo
  let store: any EventStore
  let worker: (any StateAnswering)?
  let chores: StateChores?
  /// The panes on the right. A tab that is added here is shown.
  var tabs: [any TimeMachineTab] = [StateTab(), ChangesTab(), EventTab()]
  var currentTab = 0

  var window: EventWindow
  var top: Seq
  var moment: Moment
  var mark: Seq?
  var bookmarks: Set<Seq> = []
  let began: Timestamp
  /// When the event at the position was recorded.
  var recordedAt: Timestamp?

  var isListFocused = true
  var overlay: Overlay?
  var prompt: Prompt?
  /// One line at the foot, until the next key.
  var message: String?
  var wish: Wish?
  var listPattern: SearchPattern?
  var tabPattern: SearchPattern?

  var search: (errand: Errand, walk: EventSearch)?
  /// The field whose change is being looked for.
  var wantedField: (pointer: String, isForward: Bool)?
  var progress: (at: Seq, goal: Seq)?

  var playback = Playback()
  var isPlaying = false
  var playDue: Int64 = 0
  /// How far it is played, once something was.
  var played: Playback.Head?
  /// Whether the list ends where it was asked to, and not where the session does.
  let isBounded: Bool
  /// Whether the session is looked at again and again for new events.
  var isLive: Bool
  var pollDue: Int64 = 0
  let now: () -> Int64
  /// How the screen was laid out last.
  var listHeight = 1
  var hasTwoPanes = true

  /// A screen for the events of `info` after `start`, up to `end`.
  ///
  /// - Parameters:
  ///   - worker: answers for states; nil where the reactor is not linked in.
  ///   - chores: what may be written; nil for nothing.
  ///   - now: microseconds of a clock that only goes forward.
  init(
    _ info: SessionInfo, in store: any EventStore, after start: Seq, through end: Seq,
    at position: Seq, isBounded: Bool = false, isLive: Bool = false, worker: (any StateAnswering)?,
    chores: StateChores? = nil, now: @escaping () -> Int64
  ) throws {
    (self.info, self.store, self.worker, self.chores) = (info, store, worker, chores)
    (self.isBounded, self.isLive, self.now) = (isBounded, isLive, now)
    window = EventWindow(info.id, of: store, after: start, through: end)
    top = start
    moment = Moment(seq: start)
    began = try window.row(Seq(1))?.header.recordedAt ?? info.createdAt
    try go(to: position)
  }

  var position: Seq { moment.seq }
  var tab: any TimeMachineTab { tabs[currentTab] }

  /// How long nothing has to be done unless a key comes, in milliseconds; nil for ever.
  var wait: Int? {
    if search != nil || window.isIncomplete { return 0 }
    let dues = [isPlaying ? playDue : nil, isLive ? pollDue : nil].compactMap { $0 }
    return dues.min().map { Int(max(0, $0 - now()) + 999) / 1000 }
  }
}
