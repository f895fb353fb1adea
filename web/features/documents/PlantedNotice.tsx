import { Link } from 'react-router';
import type { PlantedKind } from '#contract/calls/documents.ts';
import type { CompanyFile } from '#web/api/company-files.ts';
import { placeLabel } from '#web/lib/place.ts';
import styles from './Documents.module.css';
import { words } from './words.ts';

const reasons: Record<PlantedKind, string> = words.plantedKinds;

/** That passages of a document give orders to a language model: which, on which page, and what became of them. */
export function PlantedNotice({ file: { id, name, version, planted } }: { file: CompanyFile }) {
  if (!planted || planted.length === 0) return null;
  return (
    <details className={styles.planted}>
      <summary>{words.planted}</summary>
      <p>{words.plantedMeans(planted.length)}</p>
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
