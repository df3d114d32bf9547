#if Macros
/// Makes a struct a model: an entity of its own, with a row for each value.
///
/// Each stored property becomes a field under its own name. Properties that are computed or static,
/// functions and nested types are left alone.
///
/// ```swift
/// @Stored struct Character {
///     @PrimaryKey let identifier: Int
///     @Indexed var name: String
///     @Unique @StoredName("e_mail") var email: String?
///     @Transient var cache = 0
/// }
/// ```
///
/// The primary key is the property marked `@PrimaryKey`, or the one named `id` where none is.
/// Several marked properties make a composite key, kept in a nested `PrimaryKey` struct. An index
/// over several fields is declared by hand, as `static var indexes: [StoredIndex<Self>]`.
///
/// The struct may be nested but not generic. The type of its key is written as at file scope, with the
/// types that it is nested in. In an extension of a private type it is marked `fileprivate`. Where the generated code does not fit, adopt
/// ``Stored`` by hand: the macro writes nothing that you could not.
@attached(
    extension,
    conformances: Stored,
    StoredConvertible,
    names: named(PrimaryKey),
    named(schema),
    named(primaryKey),
    named(init(row:)),
    named(init(startingIn:)),
    named(checkHeldTypes),
    named(write(to:))
)
public macro Stored() = #externalMacro(module: "DBClientMacros", type: "StoredMacro")

/// Makes a struct a model that a store keeps under another name than the type's.
///
/// - Parameter name: The stored name: a plain string literal of 1 to 63 bytes of UTF-8 without NUL. On PostgreSQL a dot
///   ends the name of a schema: `@Stored("sales.orders")`; on other engines it is a part of the name.
@attached(
    extension,
    conformances: Stored,
    StoredConvertible,
    names: named(PrimaryKey),
    named(schema),
    named(primaryKey),
    named(init(row:)),
    named(init(startingIn:)),
    named(checkHeldTypes),
    named(write(to:))
)
public macro Stored(_ name: String) = #externalMacro(module: "DBClientMacros", type: "StoredMacro")

/// Makes a struct a stored view: a model whose values the library keeps as its `definition` says.
///
/// It is ``Stored()`` and ``Selection()`` in one, and adopts ``StoredView``.
///
/// ```swift
/// @StoredView struct Revenue {
///     @PrimaryKey let category: String
///     let total: Int
///
///     static var definition: SelectRequest<Revenue> {
///         Line.all.grouped { $0.category }.select(into: Revenue.self) { group, keys in
///             .init(category: keys[0], total: group.sum(\.amount))
///         }
///     }
/// }
/// ```
@attached(
    extension,
    conformances: Stored,
    StoredConvertible,
    Selection,
    StoredView,
    names: named(PrimaryKey),
    named(schema),
    named(primaryKey),
    named(init(row:)),
    named(init(startingIn:)),
    named(checkHeldTypes),
    named(write(to:)),
    named(Columns),
    named(init(selecting:_:)),
    arbitrary
)
public macro StoredView() = #externalMacro(module: "DBClientMacros", type: "StoredViewMacro")

/// Makes a struct a stored view that a store keeps under another name than the type's.
///
/// - Parameter name: The stored name: a plain string literal of 1 to 63 bytes of UTF-8 without NUL.
@attached(
    extension,
    conformances: Stored,
    StoredConvertible,
    Selection,
    StoredView,
    names: named(PrimaryKey),
    named(schema),
    named(primaryKey),
    named(init(row:)),
    named(init(startingIn:)),
    named(checkHeldTypes),
    named(write(to:)),
    named(Columns),
    named(init(selecting:_:)),
    arbitrary
)
public macro StoredView(_ name: String) =
    #externalMacro(module: "DBClientMacros", type: "StoredViewMacro")

/// Makes a struct a value whose fields become columns of the row of its owner.
///
/// ```swift
/// @Embedded struct Appearance {
///     var issue: String
///     @Indexed var year: Int
/// }
/// ```
///
/// An embedded value has no identity, so nothing in it is a primary key and an `id` is a field like
/// any other. The markers ``Indexed()``, ``Unique()``, ``Transient()``, ``StoredName(_:)`` and
/// ``StoredAs(_:)`` mean what they mean in ``Stored()``.
@attached(
    extension,
    conformances: EmbeddedValue,
    names: named(schema),
    named(init(row:)),
    named(init(startingIn:)),
    named(checkHeldTypes),
    named(write(to:))
)
public macro Embedded() = #externalMacro(module: "DBClientMacros", type: "EmbeddedMacro")

/// Lets the properties of a `Codable` struct that is stored as JSON name its parts in requests.
///
/// ```swift
/// @Parts struct Info: Codable {
///     var city: String
///     var tags: [String]
/// }
///
/// let near = Shop.where { $0.info.city == "Metropolis" && $0.info.tags[0] == "vegan" }
/// ```
///
/// The struct is `Codable` by the compiler's own code; it may have `CodingKeys` of its own. The extension that the macro
/// writes adopts ``PartedValue``.
@attached(extension, conformances: PartedValue, names: named(partName(of:)))
public macro Parts() = #externalMacro(module: "DBClientMacros", type: "PartsMacro")

/// Makes rows of requests, of joins and of groups values of a struct, by the names of its properties.
///
/// ```swift
/// @Selection struct ReportRow {
///     let category: String?
///     let revenue: Int
/// }
///
/// let report = lines.select(into: ReportRow.self) { line, product in
///     .init(category: product.category, revenue: line.price * line.quantity)
/// }
/// ```
///
/// Each stored property is read, in any struct that is not generic; one with an initial value keeps that. The types must
/// be those of what is selected: a field of what a left join adds is optional. The extension that the macro writes adopts
/// ``Selection`` and has a type `Columns`, of which `select(into:)` takes a value.
@attached(
    extension,
    conformances: Selection,
    names: named(Columns),
    named(init(selecting:_:)),
    arbitrary
)
public macro Selection() = #externalMacro(module: "DBClientMacros", type: "SelectionMacro")

/// Marks a property as the primary key, or as a part of it where several are marked.
///
/// The order of a composite key is the order of declaration. The property must not be optional.
///
/// - Parameter generation: Whether the caller or the store makes the key: a literal `.given` or `.generated`.
///   Only a key of one property can be generated.
@attached(peer)
public macro PrimaryKey(_ generation: PrimaryKeyGeneration = .given) =
    #externalMacro(module: "DBClientMacros", type: "PrimaryKeyMacro")

/// Marks a property by which a store keeps an index.
@attached(peer)
public macro Indexed() = #externalMacro(module: "DBClientMacros", type: "IndexedMacro")

/// Marks a property of which no two rows have the same value; a store keeps an index for it.
///
/// Any number of rows may have nil.
@attached(peer)
public macro Unique() = #externalMacro(module: "DBClientMacros", type: "UniqueMacro")

/// Marks a stored property that is not kept.
///
/// The property starts from its default value, or from nil, when a value is read back.
@attached(peer)
public macro Transient() = #externalMacro(module: "DBClientMacros", type: "TransientMacro")

/// Gives a property another stored name than its own.
///
/// - Parameter name: The stored name: a plain string literal of 1 to 63 bytes of UTF-8 without NUL.
///   Two names of a model that differ only in ASCII case are the same name.
@attached(peer)
public macro StoredName(_ name: String) =
    #externalMacro(module: "DBClientMacros", type: "StoredNameMacro")

/// Says how columns keep a property, where that is another form than the engines' own.
///
/// ```swift
/// @Stored struct Invoice {
///     let id: Int
///     @StoredAs(.dateTime) var issued: Date
///     @StoredAs(.integer(fractionDigits: 2)) var total: Decimal
/// }
/// ```
///
/// It is for tables of other programs, whose declared types do not say it, and for own ones that they read. Of a
/// relationship it is how its columns keep the related key.
///
/// - Parameter format: The format, which rounds what it does not keep, on every engine.
@attached(peer)
public macro StoredAs(_ format: ColumnFormat) =
    #externalMacro(module: "DBClientMacros", type: "StoredAsMacro")

/// Marks the property by whose value rows are kept together where a table is spread over servers: the tenant, say.
///
/// ```swift
/// @Stored struct Order {
///     @ShardKey @PrimaryKey let tenant: Int
///     @PrimaryKey let id: UUID
///     var customer: Reference<Customer>
/// }
/// ```
///
/// It is the primary key or a part of it, and a part of every unique index, since a server knows of its own rows alone.
/// Where `Customer` has a shard key of the same stored name and type, a value and what it refers to must have the same
/// one: a write that refers to another is refused with `.invalidValue`, on every engine. That does not go for two models
/// whose shard keys are all of their primary keys.
///
/// On PostgreSQL requests are completed by that: what goes through a relationship, a join, or the key of a related value
/// names the shard key wherever it is known, so that the server asks one shard. `explain` says when it asks all. Other
/// engines have no shards, and nothing else changes there.
@attached(peer)
public macro ShardKey() = #externalMacro(module: "DBClientMacros", type: "ShardKeyMacro")

/// Marks a text that ``StoredConvertible/matching(_:in:)`` searches.
///
/// ```swift
/// @Stored struct Note {
///     let id: Int
///     @Searchable(weight: 3) var title: String
///     @Searchable var body: String?
/// }
/// ```
///
/// The values that are stored do not change; the object store keeps an index beside them. A property of an ``Embedded()``
/// struct is searched with the model that has it.
///
/// - Parameter weight: How often a word of the property counts in a score, above 0 and at most 1,000.
@attached(peer)
public macro Searchable(weight: Double = 1) =
    #externalMacro(module: "DBClientMacros", type: "SearchableMacro")

/// Says what becomes of a value when what the property holds of another model is deleted.
///
/// A property whose type is another model, an array or a set of one, or a `Reference` is a
/// relationship without any mark. Unmarked, an optional one is nullified and a required one denies.
///
/// The rule is about the value that has the property: `.cascade` on `powers` deletes a fighter when one of its
/// powers is deleted. It says nothing of the powers of a deleted fighter, which stay.
///
/// - Parameter rule: The rule, which is `.weak` to let the key stay, and name a value that is not stored.
@attached(peer)
public macro Relationship(onDelete rule: DeleteRule) =
    #externalMacro(module: "DBClientMacros", type: "RelationshipMacro")

/// Marks a list of the values of another model that lead to a value, which is loaded when it is asked for and never written.
///
/// ```swift
/// @Stored struct Track {
///     let id: Int
///     var album: Reference<Album>
/// }
///
/// @Stored struct Album {
///     let id: Int
///     @Inverse(\Track.album) var tracks: [Track]
/// }
///
/// let albums = try await client.fetch(Album.all.including(\.tracks))
/// let large = Album.where { $0.tracks.count > 20 }
/// ```
///
/// The property is a list or a set, which is empty unless it is asked for, or an optional one, which is nil. An initial value
/// other than the empty list is what it has until then. What the list has is no part of what is stored: a value is saved without it.
/// Conditions ask it as they ask a to-many relationship.
///
/// - Parameter link: The property that leads to a value: a relationship of the other model to this one, or a field of it with
///   this one's primary key.
@attached(peer)
public macro Inverse<Owner, Link>(_ link: KeyPath<Owner, Link>) =
    #externalMacro(module: "DBClientMacros", type: "InverseMacro")
#endif
