import DBClientCore
import DBClientLive
import Dispatch
import Observation

// snippet: live-models
/// A list.
@Stored struct TaskList: Hashable {
    @PrimaryKey let id: Int
    var name: String
}

/// What is to do.
@Stored struct TaskItem: Hashable {
    @PrimaryKey let id: Int
    @Indexed var list: Int
    var title: String
    var isDone: Bool
}
// end snippet

// snippet: live-sidebar-model
@MainActor
final class SidebarModel {
    let lists: LiveResults<TaskList>
    let open: LiveRows<(key: Int, values: Int)>

    init(_ client: any DBClient) {
        lists = client.live(TaskList.all.sorted { $0.name })
        let items = TaskItem.where { !$0.isDone }
        let perList = items.grouped(by: \.list).select(.count)
        open = client.live(perList, of: items, id: { $0.key })
    }

    var lines: [String] {
        let counts = Dictionary(uniqueKeysWithValues: open.values.map { ($0.key, $0.values) })
        return lists.map { "\($0.name) \(counts[$0.id] ?? 0)" }
    }
}
// end snippet

// snippet: live-list-model
@MainActor
final class ListModel {
    let sections: LiveSections<Bool, TaskItem>
    private let list: Int

    init(_ client: any DBClient, list: Int) {
        self.list = list
        sections = client.live(Self.request(list, ""), page: 50, sections: \.isDone)
    }

    func search(_ text: String) {
        sections.request = Self.request(list, text)
    }

    private static func request(_ list: Int, _ text: String) -> FetchRequest<TaskItem> {
        let items = TaskItem.where { $0.list == list }.sorted { [$0.isDone, $0.title] }
        return text.isEmpty ? items : items.filter { $0.title.containsFolding(text) }
    }
}
// end snippet

// snippet: live-form-model
@MainActor
final class FormModel {
    let draft: LiveDraft<TaskItem>

    init(_ client: any DBClient, item: TaskItem) {
        draft = client.draft(of: item)
    }

    func rename(_ title: String) {
        draft.title = title  // shown at once, written soon
    }

    var message: String? {
        if let error = draft.error { return "Not saved: \(error)" }
        if draft.isDeleted { return "Deleted elsewhere" }
        return draft.isSaving ? "Saving" : nil
    }
}
// end snippet

// snippet: live-tracking
@MainActor
func follow(_ sidebar: SidebarModel, _ draw: @escaping @MainActor ([String]) -> Void) {
    let lines = withObservationTracking {
        sidebar.lines
    } onChange: {
        // It is called before the change, so look again in the next turn.
        DispatchQueue.main.async { follow(sidebar, draw) }
    }
    draw(lines)
}
// end snippet

@MainActor
func live(_ client: any DBClient) -> Int {
    // snippet: live-results
    let heroes = client.live(Character.all.sorted { $0.name }, page: 50)
    let villains = client.liveCount(Character.where { $0.alignment == .villain })
    // end snippet
    var rows: [Character] = []
    var drawn = 0
    // snippet: live-change
    if let change = heroes.change(since: drawn) {
        change.apply(to: &rows, from: heroes.values)  // now the rows are the values
    } else {
        rows = Array(heroes.values)  // more than one change has come
    }
    drawn = heroes.revision
    // end snippet
    return rows.count + villains.value + drawn
}
