import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { messages } from '#contract/messages.ts';
import { collectionsQuery } from '#web/api/collections.ts';
import { type CompanyFile, collectionOf, useCompanyFiles } from '#web/api/company-files.ts';
import { teamQuery } from '#web/api/team.ts';
import { CollectionsFailed } from '#web/features/collections/CollectionsFailed.tsx';
import { formatBytes, formatMoment } from '#web/lib/format.ts';
import { DataTable } from '#web/ui/DataTable.tsx';
import { TextButton } from '#web/ui/TextButton.tsx';
import { useBreakpoint } from '#web/ui/use-breakpoint.ts';
import { useColumns } from './columns.ts';
import { DeleteFile } from './DeleteFile.tsx';
import { DocumentCell } from './DocumentCell.tsx';
import { NoDocuments } from './DocumentsSection.tsx';
import { FileActions } from './FileActions.tsx';
import styles from './Library.module.css';
import { LibraryTools } from './LibraryTools.tsx';
import { everything, type Order, pickFiles, wantedIn, whyNone } from './library.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { StillNotice } from './StillNotice.tsx';
import { isSelectable, stateOfAll, useSelection, withAll, withRow } from './selection.ts';
import { EditTags, Tags } from './Tags.tsx';
import { useReplace } from './use-replace.tsx';
import { words } from './words.ts';

const texts = messages.documents;

/** All of the company's files: what is known of each, and what an admin may do to one or to many. */
export function Library() {
  const { files, status } = useCompanyFiles();
  const { data: team, isPending: waitsForTeam } = useQuery(teamQuery);
  const [wanted, setWanted] = useState(() => wantedIn(window.location.search));
  const [order, setOrder] = useState<Order>({ by: 'name', down: false });
  const [doomed, setDoomed] = useState<CompanyFile | null>(null);
  const [tagged, setTagged] = useState<CompanyFile | null>(null);
  const [shown, setShown] = useColumns();
  const { selection, selected, change } = useSelection(files);
  const { picker, replace } = useReplace();
  const looked = useDeferredValue(wanted);

  const { data: collections = [], isPending: waitsForCollections } = useQuery(collectionsQuery);
  const nameOf = useMemo(
    () => new Map(collections.map(({ collectionId, name }) => [collectionId, name])),
    [collections],
  );
  const emails = useMemo(() => team && new Map(team.map(({ uid, email }) => [uid, email])), [team]);
  // Rows say who has uploaded them, and collections decide which columns there are: drawn before that is known they
  // would change their height and their places.
  const waits = status === 'loading' || waitsForTeam || waitsForCollections;
  const rows = useMemo(() => (waits ? [] : pickFiles(files, looked, order)), [files, looked, order, waits]);

  const sorted = (by: Order['by']) => ({
    sorted: order.by === by ? (order.down ? ('descending' as const) : ('ascending' as const)) : ('none' as const),
    onSort: () => setOrder({ by, down: order.by === by ? !order.down : by !== 'name' }),
  });
  // With all columns in a narrow window the name would have no room: dates and actions take two lines then.
  const isTight = useBreakpoint('tightMargins') && collections.length > 1;
  const narrow = (usual: string, tight: string) => (isTight ? tight : usual);
  const optional = {
    collection: {
      title: words.columns.collection,
      width: narrow('16%', '13%'),
      cell: (file: CompanyFile) => <bdi>{nameOf.get(collectionOf(file)) ?? ''}</bdi>,
    },
    tags: {
      title: words.columns.tags,
      width: narrow('16%', '13%'),
      cell: (file: CompanyFile) => <Tags file={file} onEdit={setTagged} />,
    },
    size: {
      title: words.columns.size,
      width: '84px',
      ...sorted('size'),
      cell: ({ size }: CompanyFile) => formatBytes(size),
    },
    uploadedAt: {
      title: words.columns.uploadedAt,
      width: narrow('132px', '88px'),
      ...sorted('uploadedAt'),
      cell: ({ uploadedAt }: CompanyFile) => <span className={styles.uploaded}>{formatMoment(uploadedAt)}</span>,
    },
  };
  const columns = [
    {
      title: texts.fileName,
      ...sorted('name'),
      cell: (file: CompanyFile) => <DocumentCell file={file} full emails={emails} />,
    },
    ...shown.filter((column) => column !== 'collection' || collections.length > 1).map((column) => optional[column]),
    {
      title: texts.actions,
      width: narrow('148px', '88px'),
      end: true,
      cell: (file: CompanyFile) => <FileActions file={file} onDelete={setDoomed} onReplace={replace} quiet />,
    },
  ];
  const hidden = selected.length - rows.filter(({ id }) => selection.ids.has(id)).length;

  return (
    <section className={styles.library} aria-label={words.all}>
      <LibraryTools
        files={waits ? [] : files}
        wanted={wanted}
        onWanted={setWanted}
        collections={collections}
        columns={shown}
        onColumns={setShown}
        count={status === 'ready' && rows.length !== files.length ? words.shown(rows.length, files.length) : ''}
      />
      <CollectionsFailed />
      <StillNotice />
      <DataTable
        // Another one once it is known which columns there are: those there were stay where they are.
        key={String(waits)}
        label={words.all}
        columns={columns}
        rows={rows}
        rowKey={idOf}
        selecting={{
          selected: selection.ids,
          labelOf: (file) => (isSelectable(file) ? words.select(file.name) : null),
          onSelect: ({ id }, isSelected, isRange) =>
            change(withRow(selection, { shown: rows, id, selected: isSelected, isRange })),
          all: {
            state: stateOfAll(selection.ids, rows),
            label: words.selectAll(rows.length),
            onChange: (isSelected) => change(withAll(selection, rows, isSelected)),
          },
        }}
        tall
        loading={waits ? texts.loading : undefined}
        instead={
          files.length === 0 ? (
            <NoDocuments filtered={false} />
          ) : (
            <>
              {whyNone(looked)} <TextButton onClick={() => setWanted(everything)}>{words.showAll}</TextButton>
            </>
          )
        }
      />
      <SelectionBar selected={selected} hidden={hidden} onSelect={change} onReplace={replace} />
      {picker}
      <EditTags key={tagged?.id} file={tagged} onDone={() => setTagged(null)} />
      <DeleteFile file={doomed} onDone={() => setDoomed(null)} />
    </section>
  );
}

const idOf = ({ id }: CompanyFile) => id;
