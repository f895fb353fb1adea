import { Link } from 'react-router';
import type { PlantedKind } from '#contract/calls/documents.ts';
import type { CompanyFile } from '#web/api/company-files.ts';
import { placeLabel } from '#web/lib/place.ts';
import styles from './Documents.module.css';

const reasons: Record<PlantedKind, string> = {
  overrides: 'tells an assistant to ignore its rules',
  addresses: 'speaks to an assistant',
  prompts: 'asks for an assistant’s own instructions',
  dictates: 'tells an assistant what to answer',
  secrets: 'asks for secrets, or to send them somewhere',
};

/** That passages of a document give orders to a language model: which, on which page, and what became of them. */
export function PlantedNotice({ file: { id, name, version, planted } }: { file: CompanyFile }) {
  if (!planted || planted.length === 0) return null;
  return (
    <details className={styles.planted}>
      <summary>Speaks to the assistant</summary>
      <p>
        Left out of answers, since it gives orders to a language model
        {planted.length === 1 ? '' : ` in ${planted.length} places`}. Replace the document if nobody meant to.
      </p>
      <ul>
        {planted.map(({ kind, page, text }) => (
          <li key={`${page} ${text}`}>
            {page !== undefined && (
              <>
                <Link to={`/documents/${id}/${version}?page=${page}`}>{capital(placeLabel(name, page))}</Link>{' '}
              </>
            )}
            {reasons[kind]}: “<bdi>{text}</bdi>”
          </li>
        ))}
      </ul>
    </details>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
