extension RowBuffer {
    /// Takes what the rows hold of other models; nil for rows that hold nothing else.
    var graph: RowGraph? {
        // Nothing else is kept beside rows.
        get { companion.map { unsafeDowncast($0, to: RowGraph.self) } }
        set { companion = newValue }
    }
}
