import DBClientCore
import DBClientLive
import DBClientTesting
import Testing

@testable import Snippets

/// The screens of the article, without anything that draws them.
@MainActor
struct LiveScreensTests {
    private func eventually(_ condition: () -> Bool) async throws {
        // The snippets have a model that is called Task.
        for _ in 0..<10_000 where !condition() {
            try await ContinuousClock().sleep(for: .milliseconds(1))
        }
        #expect(condition())
    }

    @Test func theScreensFollowTheStore() async throws {
        let client = InMemoryDBClient()
        try await client.insert([TaskList(id: 1, name: "Home"), TaskList(id: 2, name: "Work")])
        try await client.insert([
            TaskItem(id: 1, list: 1, title: "Café au lait", isDone: false),
            TaskItem(id: 2, list: 1, title: "Sleep", isDone: true),
            TaskItem(id: 3, list: 2, title: "Work", isDone: false),
        ])
        let sidebar = SidebarModel(client)
        var drawn: [String] = []
        follow(sidebar) { drawn = $0 }
        try await eventually { drawn == ["Home 1", "Work 1"] }

        let list = ListModel(client, list: 1)
        try await eventually { list.sections.count == 2 }
        #expect(list.sections[0].map(\.title) == ["Café au lait"])
        list.search("cafe")
        try await eventually { list.sections.count == 1 }

        let form = FormModel(
            client,
            item: TaskItem(id: 1, list: 1, title: "Café au lait", isDone: false)
        )
        form.rename("Tea")
        #expect(form.draft.title == "Tea")
        try await form.draft.flush()
        #expect(form.message == nil)
        try await eventually { list.sections.isEmpty }
        list.search("")
        try await eventually { list.sections.first?.first?.title == "Tea" }
        try await client.update(TaskItem.self, key: 1) { $0.set(\.isDone, to: true) }
        try await eventually { drawn == ["Home 0", "Work 1"] }
        try client.close()
    }
}
