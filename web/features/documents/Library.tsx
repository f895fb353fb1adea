import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { messages } from '#contract/messages.ts';
import { type CompanyFile, useCompanyFiles } from '#web/api/company-files.ts';
import { teamQuery } from '#web/api/team.ts';
import { formatBytes, formatMoment } from '#web/lib/format.ts';
import control from '#web/ui/control.module.css';
import { DataTable } from '#web/ui/DataTable.tsx';
import { Filter } from '#web/ui/Section.tsx';
import { DeleteFile } from './DeleteFile.tsx';
import { DocumentCell } from './DocumentCell.tsx';
import { NoDocuments } from './DocumentsSection.tsx';
import { FileActions } from './FileActions.tsx';
import styles from './Library.module.css';
import { countStates, type Order, pickFiles, type StateGroup, stateGroups, tagsOf, type Wanted } from './library.ts';
import { StillNotice } from './StillNotice.tsx';
import { EditTags, Tags } from './Tags.tsx';
import { useReplace } from './use-replace.tsx';

const texts = messages.documents;

/** All of the company's files: what is known of each, and what an admin may do to it. */
export function Library() {
  const { files, status } = useCompanyFiles();
  const { data: team } = useQuery(teamQuery);
  const [wanted, setWanted] = useState<Wanted>({ text: '', tag: '', state: 'all' });
  const [order, setOrder] = useState<Order>({ by: 'name', down: false });
  const [doomed, setDoomed] = useState<CompanyFile | null>(null);
  const [tagged, setTagged] = useState<CompanyFile | null>(null);
  const { picker, replace } = useReplace();
  const looked = useDeferredValue(wanted);

  const emails = useMemo(() => new Map(team?.map(({ uid, email }) => [uid, email])), [team]);
  const rows = useMemo(() => pickFiles(files, looked, order), [files, looked, order]);
  const tags = useMemo(() => tagsOf(files), [files]);
  const counts = useMemo(() => countStates(files), [files]);

  const sorted = (by: Order['by']) => ({
    sorted: order.by === by ? (order.down ? ('descending' as const) : ('ascending' as const)) : ('none' as const),
    onSort: () => setOrder({ by, down: order.by === by ? !order.down : by !== 'name' }),
  });
  const columns = [
    { title: texts.fileName, ...sorted('name'), cell: (file: CompanyFile) => <DocumentCell file={file} full /> },
    { title: 'Version', width: '76px', cell: versionText },
    { title: 'Tags', width: '16%', cell: (file: CompanyFile) => <Tags file={file} onEdit={setTagged} /> },
    { title: 'Size', width: '84px', ...sorted('size'), cell: ({ size }: CompanyFile) => formatBytes(size) },
    {
      title: 'Uploaded',
      width: '20%',
      ...sorted('uploadedAt'),
      cell: ({ uploadedAt, uploadedBy }: CompanyFile) => (
        <div className={styles.uploaded}>
          <div>{formatMoment(uploadedAt)}</div>
          {team && <Who email={emails.get(uploadedBy ?? '')} />}
        </div>
      ),
    },
    {
      title: texts.actions,
      width: '148px',
      end: true,
      cell: (file: CompanyFile) => <FileActions file={file} onDelete={setDoomed} onReplace={replace} />,
    },
  ];

  return (
    <section className={styles.library} aria-label="All documents">
      <div className={styles.tools}>
        <Filter label={texts.filter} value={wanted.text} onChange={(text) => setWanted({ ...wanted, text })} />
        <select
          className={`${control.field} ${styles.states}`}
          aria-label="State"
          value={wanted.state}
          onChange={({ target }) => setWanted({ ...wanted, state: stateOf(target.value) })}
        >
          <option value="all">All states</option>
          {groups.map((group) => (
            <option key={group} value={group}>
              {stateGroups[group]} ({counts[group].toLocaleString()})
            </option>
          ))}
        </select>
        {(tags.length > 0 || wanted.tag !== '') && (
          <select
            className={`${control.field} ${styles.states}`}
            aria-label="Tag"
            value={wanted.tag}
            onChange={({ target }) => setWanted({ ...wanted, tag: target.value })}
          >
            <option value="">All tags</option>
            {(tags.includes(wanted.tag) || wanted.tag === '' ? tags : [wanted.tag, ...tags]).map((tag) => (
              <option key={tag}>{tag}</option>
            ))}
          </select>
        )}
        <span className={styles.count} role="status">
          {status === 'ready' && rows.length !== files.length
            ? `${rows.length.toLocaleString()} of ${files.length.toLocaleString()}`
            : ''}
        </span>
      </div>
      <StillNotice />
      <DataTable
        label="All documents"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        tall
        instead={status === 'loading' ? texts.loading : <NoDocuments filtered={files.length > 0} />}
      />
      {picker}
      <EditTags key={tagged?.id} file={tagged} onDone={() => setTagged(null)} />
      <DeleteFile file={doomed} onDone={() => setDoomed(null)} />
    </section>
  );
}

const groups: StateGroup[] = ['ready', 'reading', 'uploading', 'partial', 'failed'];

function stateOf(value: string): Wanted['state'] {
  return groups.find((group) => group === value) ?? 'all';
}

function Who({ email }: { email: string | undefined }) {
  return (
    <div className={styles.who} title={email}>
      {email ?? 'by someone who has left'}
    </div>
  );
}

function versionText({ version, currentVersion }: CompanyFile): string {
  return currentVersion === undefined || currentVersion === version
    ? `${version}`
    : `${version} (${currentVersion} answers)`;
}
