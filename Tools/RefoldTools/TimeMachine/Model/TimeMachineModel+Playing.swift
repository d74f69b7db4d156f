import EventStoreCore

extension TimeMachineModel {
  /// Starts or stops playing.
  func togglePlay() {
    isPlaying.toggle()
    played = nil
    if isPlaying { playDue = now() }
  }

  /// Goes to the last event that is due by now.
  func play() throws {
    // What was asked for is shown before the next is asked for; time goes on meanwhile.
    if worker != nil, moment.state?.seq != position, moment.note == nil || progress != nil {
      playDue = now() + Playback.frame
      return
    }
    window.startLooking()
    guard var head = try playHead() else { return endOfPlay() }
    let next = try advance(&head)
    played = head
    if head.seq != position { try go(to: head.seq) }
    let wait = next.map { playback.wait(until: $0.header.recordedAt.microseconds, from: head) }
    playDue = max(now() + Playback.frame, head.now + (wait ?? 0))
  }

  /// How far it is played; where somebody went elsewhere, playing begins there, with what is next.
  private func playHead() throws -> Playback.Head? {
    if let played, played.seq == position { return played }
    guard let next = try listed(after: position) else { return nil }
    let time = next.header.recordedAt.microseconds
    return Playback.Head(seq: position, time: time, reached: time, now: now())
  }

  /// Moves `head` on to now.
  ///
  /// - Returns: the event that is played next, if it is known.
  private func advance(_ head: inout Playback.Head) throws -> EventRow? {
    let now = now()
    var left = min(now - head.now, Playback.longestFrame) * Int64(playback.speed)
    head.now = now
    for _ in 0..<Playback.stepLimit {
      guard let next = try listed(after: head.seq) else {
        // Without a next event no time passes: whatever comes is played at once.
        if head.seq == position { endOfPlay() }
        return nil
      }
      let time = next.header.recordedAt.microseconds
      let due = Playback.due(time, after: head)
      if head.reached + left < due {
        head.reached += left
        return next
      }
      left -= max(0, due - head.reached)
      (head.seq, head.time, head.reached) = (next.seq, time, time)
      if window.filter.isAll { left -= try jump(&head, atMost: left) }
    }
    head.now -= left / Int64(playback.speed)
    return nil
  }

  /// Moves `head` over all the events that are due in `left` and have no idle time between them,
  /// however many they are.
  ///
  /// - Returns: the time that it took.
  private func jump(_ head: inout Playback.Head, atMost left: Int64) throws -> Int64 {
    let limit = Timestamp(microseconds: head.time + min(left, Playback.idleLimit))
    let seq = min(window.end, try store.seq(of: info.id, at: limit))
    guard seq > head.seq, let row = try window.row(seq) else { return 0 }
    let time = row.header.recordedAt.microseconds
    defer { (head.seq, head.time, head.reached) = (seq, time, time) }
    return max(0, time - head.time)
  }

  private func listed(after seq: Seq) throws -> EventRow? {
    guard window.filter.isAll else { return try window.rows(after: seq, 1).first }
    guard let next = seq.advanced(by: 1), next <= window.end else { return nil }
    return try window.row(next)
  }

  private func endOfPlay() {
    played = nil
    playDue = now() + Self.pollInterval
    // The list is still being read, or grows.
    if !window.isIncomplete, !isLive { (isPlaying, message) = (false, "This is the end.") }
  }
}
