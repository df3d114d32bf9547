extension ConformanceConcern {
    /// The cases about the concern.
    public var cases: [ConformanceCase] {
        switch self {
        case .values:
            ValueCases.all + ValueRefusalCases.all + NestedCases.all + EmbeddedRefusalCases.all
        case .keys: KeyCases.all
        case .crud: CRUDCases.all
        case .insert: InsertCases.all
        case .update: UpdateCases.all
        case .upsert: UpsertCases.all
        case .convertibles: ConvertibleCases.all
        case .entities:
            EntityCases.all + HeldEntityCases.all + HeldEntityRuleCases.all
                + HeldEntityRevivalCases.all + HalfChangeCases.all + DirectWriteCases.all
                + (DepthCases.all + RegistrationCases.all + LinkNameCases.all).filter {
                    $0.concern == .entities
                }
        case .delete: DeleteCases.all
        case .partialUpdate: PartialUpdateCases.all + PartialUpdateManyCases.all
        case .relationships:
            RelationshipCases.all + GraphSavingCases.all + WeakCases.all
                + (DynamicRelationshipCases.all + RealSumCases.all + RegistrationCases.all
                    + LinkNameCases.all + DepthCases.all).filter { $0.concern == .relationships }
        case .conditions: ConditionCases.all + ConditionLimitCases.all
        case .textConditions: TextConditionCases.all
        case .ordering: OrderingCases.all
        case .paging: PagingCases.all
        case .aggregates:
            (AggregateCases.all + RealSumCases.all).filter { $0.concern == .aggregates }
        case .distinct: AggregateCases.all.filter { $0.concern == .distinct }
        case .results: ResultsCases.all
        case .select: SelectCases.all
        case .grouping:
            GroupCases.all + RelatedGroupCases.all
                + RealSumCases.all.filter { $0.concern == .grouping }
        case .streaming: StreamingCases.all
        case .requests: ReadyRequestCases.all
        case .dynamic:
            DynamicCases.all
                + (DynamicRelationshipCases.all + RegistrationCases.all).filter {
                    $0.concern == .dynamic
                }
        case .operations: OperationCases.all
        case .repositories: RepositoryCases.all
        case .decorators: DecoratorCases.all
        case .transactions: TransactionCases.all
        case .savepoints: SavepointCases.all
        case .cancellation: CancellationCases.all
        case .concurrency: ConcurrencyCases.all
        case .observation:
            ObservationCases.all + ObservedDeliveryCases.all + ObservedWindowCases.all
                + ObservedUnitCases.all
                + ObservationEndCases.all + ObservedValueCases.all + CommitFeedCases.all
                + ObservingClosureCases.all + ObservedHeldCases.all + ObservedInverseCases.all
                + ObservedConvertibleCases.all + ObservedOwnKindCases.all
                + RealSumCases.all.filter { $0.concern == .observation }
        case .errors: ErrorCases.all
        case .schemas: SchemaCases.all
        case .migrations: MigrationCases.all + ConversionCases.all + MigrationFailureCases.all
        case .hostileNames: HostileNameCases.all
        case .hostileText: HostileTextCases.all
        case .limits: LimitCases.all + IndexEntryCases.all + WidthCases.all
        case .reopen: ReopenCases.all
        case .severalClients: SeveralClientsCases.all
        case .closed: ClosedCases.all
        }
    }
}
