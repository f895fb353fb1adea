/** Collections to choose from, in a select. */
export function CollectionOptions({ collections }: { collections: readonly { collectionId: string; name: string }[] }) {
  return collections.map(({ collectionId, name }) => (
    <option key={collectionId} value={collectionId}>
      {name}
    </option>
  ));
}
