import DBClientCore
import DBClientInMemory
import DBClientLive
import SwiftUI
import UIKit

/// A list with what is in it.
@Stored struct TaskList: Hashable {
    @PrimaryKey let id: Int
    @Indexed var name: String
}

@Stored struct TaskItem: Hashable {
    @PrimaryKey let id: Int
    @Indexed var list: Int
    var title: String
    var isDone: Bool
}

// The three screens of a small app, type-checked as an app would be.

// snippet: live-sidebar
struct Sidebar: View {
    @Live(TaskList.all.sorted { $0.name }) var lists
    let counts: LiveRows<(key: Int, values: Int)>

    var body: some View {
        let open = Dictionary(uniqueKeysWithValues: counts.values.map { ($0.key, $0.values) })
        List(lists, id: \.id) { list in
            Text("\(list.name) \(open[list.id] ?? 0)")
        }
        .overlay { if $lists.state.isLoading { ProgressView() } }
        .pausesWhenHidden($lists, counts)
    }
}
// end snippet

// snippet: live-list
struct ItemList: View {
    let sections: LiveSections<Bool, TaskItem>
    @State private var search = ""

    var body: some View {
        List {
            ForEach(Array(sections)) { section in
                Section(section.key ? "Done" : "To do") {
                    ForEach(section, id: \.id) { item in Text(item.title) }
                }
            }
        }
        .searchable(text: $search)
        .onChange(of: search) { _, text in
            sections.request = TaskItem.where { $0.title.containsFolding(text) }
                .sorted { [$0.isDone, $0.title] }
        }
    }
}
// end snippet

// snippet: live-detail
struct ItemDetail: View {
    @Bindable var draft: LiveDraft<TaskItem>

    var body: some View {
        Form {
            TextField("Title", text: $draft.title)
            if let error = draft.error { Text("Not saved: \(error)") }
            if draft.isSaving { ProgressView() }
        }
        .onSubmit { Task { try await draft.flush() } }
    }
}
// end snippet

// snippet: live-preview
@MainActor
func previewOfSidebar() -> some View {
    let client = InMemoryDBClient()
    _ = try? client.blocking.insert([TaskList(id: 1, name: "Home"), TaskList(id: 2, name: "Work")])
    let open = TaskItem.where { !$0.isDone }
    let perList = open.grouped(by: \.list).select(.count)
    let counts = client.live(perList, of: open, id: { $0.key })
    return Sidebar(counts: counts).dbClient(client)
}
// end snippet

/// What a collection view shows, whose data source takes snapshots.
@MainActor
final class ItemsController {
    private let items: LiveResults<TaskItem>
    private var shown = 0
    private var snapshot = NSDiffableDataSourceSnapshot<Int, TaskItem.PrimaryKey>()

    init(_ client: any DBClient) {
        items = client.live(TaskItem.all.sorted { $0.title }, page: 50)
    }

    func update() {
        snapshot.apply(items, section: 0, since: &shown)
    }

    func sectioned(_ sections: LiveSections<Bool, TaskItem>) {
        let all = NSDiffableDataSourceSnapshot(sections)
        _ = all
    }
}
