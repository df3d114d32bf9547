// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What DBClientLive uses of SwiftUI, declared as SwiftUI declares it, for systems that have none. Nothing of it runs.

public import Observation

@MainActor
@preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError() }
}

@resultBuilder
public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> {
        TupleView((repeat each content))
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(
        first: First
    ) -> ConditionalContent<First, Second> { ConditionalContent() }
    public static func buildEither<First: View, Second: View>(
        second: Second
    ) -> ConditionalContent<First, Second> { ConditionalContent() }
}

public struct EmptyView: View {
    nonisolated public init() {}
    public var body: Never { fatalError() }
}

public struct TupleView<Content>: View {
    nonisolated public init(_ content: Content) {}
    public var body: Never { fatalError() }
}

public struct ConditionalContent<First: View, Second: View>: View {
    nonisolated init() {}
    public var body: Never { fatalError() }
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError() }
}

public struct Text: View {
    nonisolated public init(_ content: some StringProtocol) {}
    public var body: Never { fatalError() }
}

public struct ProgressView: View {
    nonisolated public init() {}
    public var body: Never { fatalError() }
}

public struct TextField: View {
    nonisolated public init(_ title: some StringProtocol, text: Binding<String>) {}
    public var body: Never { fatalError() }
}

public struct Section<Content: View>: View {
    nonisolated public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

public struct Form<Content: View>: View {
    nonisolated public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

public struct List<Content: View>: View {
    nonisolated public init(@ViewBuilder content: () -> Content) {}
    nonisolated public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Content == ForEach<Data, ID, Row> {}
    public var body: Never { fatalError() }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content>: View {
    nonisolated public init(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ViewBuilder content: @escaping (Data.Element) -> Content
    ) where Content: View {}
    nonisolated public init(
        _ data: Data,
        @ViewBuilder content: @escaping (Data.Element) -> Content
    ) where Data.Element: Identifiable, ID == Data.Element.ID, Content: View {}
    public var body: Never { fatalError() }
}

extension View {
    nonisolated public func environment<Value>(
        _ path: WritableKeyPath<EnvironmentValues, Value>,
        _ value: Value
    ) -> some View { self }
    nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }
    nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }
    nonisolated public func onSubmit(_ action: @escaping () -> Void) -> some View { self }
    nonisolated public func searchable(text: Binding<String>) -> some View { self }
    nonisolated public func onChange<Value: Equatable>(
        of value: Value,
        _ action: @escaping (Value, Value) -> Void
    ) -> some View { self }
    nonisolated public func overlay<Content: View>(
        @ViewBuilder content: () -> Content
    ) -> some View { self }
}

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

public struct EnvironmentValues: CustomStringConvertible {
    public init() {}
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { fatalError() }
        set {}
    }
    public var description: String { "" }
}

public protocol DynamicProperty {
    mutating func update()
}

@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    public init(_ path: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { fatalError() }
    public func update() {}
}

@propertyWrapper
public struct State<Value>: DynamicProperty {
    public init(wrappedValue: Value) {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { fatalError() }
    public func update() {}
}

@propertyWrapper
public struct Binding<Value> {
    public init(
        get: @escaping @isolated(any) @Sendable () -> Value,
        set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { self }
}

@propertyWrapper
@dynamicMemberLookup
public struct Bindable<Value> {
    public init(wrappedValue: Value) where Value: Observable {}
    public var wrappedValue: Value { fatalError() }
    public var projectedValue: Bindable<Value> { self }
    public subscript<Subject>(
        dynamicMember path: ReferenceWritableKeyPath<Value, Subject>
    ) -> Binding<Subject> where Value: AnyObject { fatalError() }
}
