import { useDeferredValue, useState } from 'react';
import { messages } from '#contract/messages.ts';
import { type CompanyFile, useCompanyFiles } from '#web/api/company-files.ts';
import { openUploads } from '#web/features/uploads/uploads.ts';
import { DataTable } from '#web/ui/DataTable.tsx';
import { Filter, Section } from '#web/ui/Section.tsx';
import { TextButton } from '#web/ui/TextButton.tsx';
import { DeleteFile } from './DeleteFile.tsx';
import { DocumentCell } from './DocumentCell.tsx';
import { FileActions } from './FileActions.tsx';
import { StillNotice } from './StillNotice.tsx';
import { useReplace } from './use-replace.tsx';
import { words } from './words.ts';

const texts = messages.documents;

/** The company's documents, live, with what an admin may do to each. */
export function DocumentsSection() {
  const { files, status } = useCompanyFiles();
  const [filter, setFilter] = useState('');
  const wanted = useDeferredValue(filter).trim().toLocaleLowerCase();
  const [doomed, setDoomed] = useState<CompanyFile | null>(null);
  const { picker, replace } = useReplace();
  const rows = wanted === '' ? files : files.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));

  const columns = [
    { title: texts.fileName, cell: (file: CompanyFile) => <DocumentCell file={file} /> },
    {
      title: texts.actions,
      width: 'clamp(72px, 21vw, 212px)',
      end: true,
      cell: (file: CompanyFile) => (
        <FileActions file={file} onDelete={setDoomed} {...(file.state === 'failed' && { onReplace: replace })} />
      ),
    },
  ];

  return (
    <Section heading={texts.heading} tool={<Filter label={texts.filter} value={filter} onChange={setFilter} />}>
      <StillNotice />
      <DataTable
        label={texts.heading}
        columns={columns}
        rows={rows}
        rowKey={idOf}
        loading={status === 'loading' ? texts.loading : undefined}
        instead={<NoDocuments filtered={files.length > 0} />}
      />
      {picker}
      <DeleteFile file={doomed} onDone={() => setDoomed(null)} />
    </Section>
  );
}

const idOf = ({ id }: CompanyFile) => id;

/** In place of the rows of a table of documents. */
export function NoDocuments({ filtered }: { filtered: boolean }) {
  if (filtered) return words.nothing.named;
  return (
    <>
      {texts.empty} <TextButton onClick={openUploads}>{words.uploadFirst}</TextButton>
    </>
  );
}
