extension ConformanceConcern {
    /// The cases about the concern.
    public var cases: [ConformanceCase] { Self.lists.joined().filter { $0.concern == self } }

    /// All cases, as they stand together: some are about a feature, and so about several concerns.
    private static let lists: [[ConformanceCase]] = [
        ValueCases.all, ValueRefusalCases.all, NestedCases.all, EmbeddedRefusalCases.all,
        KeyCases.all, MadeKeyCases.all, CRUDCases.all, InsertCases.all, UpdateCases.all,
        UpsertCases.all,
        LargeCallCases.all,
        ConvertibleCases.all, EntityCases.all, HeldEntityCases.all, HeldEntityRuleCases.all,
        HeldEntityRevivalCases.all, UndoneEntityCases.all, HalfChangeCases.all,
        DirectWriteCases.all, DepthCases.all,
        RegistrationCases.all, ChangedRuleCases.all, LinkNameCases.all, DeleteCases.all,
        PartialUpdateCases.all,
        PartialUpdateManyCases.all, PartialUpdateModifyCases.all, RelationshipCases.all,
        GraphSavingCases.all, WeakCases.all, MissingValueCases.all, ReferenceKeyCases.all,
        DynamicRelationshipCases.all, RealSumCases.all, ConditionCases.all, ConditionLimitCases.all,
        ShortConditionCases.all, ElementCountCases.all, FieldComparisonCases.all,
        WrittenConditionCases.all,
        TextConditionCases.all, OrderingCases.all, PagingCases.all,
        AggregateCases.all, DecimalSumCases.all,
        ResultsCases.all, SelectCases.all, KeyPathCases.all, GroupCases.all, RelatedGroupCases.all,
        StreamingCases.all, ReadyRequestCases.all, DynamicCases.all, CatalogCases.all,
        OperationCases.all,
        RepositoryCases.all, DecoratorCases.all, TransactionCases.all, SavepointCases.all,
        CancellationCases.all, ConcurrencyCases.all, ObservationCases.all,
        ObservedDeliveryCases.all, ObservedWindowCases.all, ObservedUnitCases.all,
        ObservationEndCases.all, ObservedValueCases.all, CommitFeedCases.all,
        ObservingClosureCases.all, ObservedHeldCases.all, ObservedInverseCases.all,
        ObservedConvertibleCases.all, ObservedOwnKindCases.all, ErrorCases.all, SchemaCases.all,
        FieldOrderCases.all,
        MigrationCases.all, AdaptedRuleCases.all, ConversionCases.all, RetypedCases.all,
        RetargetedCases.all, ForeignConversionCases.all, VersionHistoryCases.all,
        MigrationFailureCases.all,
        CopyCases.all, HostileNameCases.all, GeneratedNameCases.all, HostileTextCases.all,
        GeneratedTextCases.all,
        LimitCases.all, IndexEntryCases.all, WidthCases.all, ReopenCases.all,
        SeveralClientsCases.all, ClosedCases.all,
    ]
}
