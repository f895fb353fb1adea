import { Link } from 'react-router';
import { useSession } from '#web/api/session.ts';
import { AccountButton } from '#web/features/session/AccountButton.tsx';
import styles from './AppHeader.module.css';
import { HeaderLine, type HeaderLineProps } from './HeaderLine.tsx';

/** The line above the chat and the documents: the brand, who is here, and the way out. */
export function AppHeader({ menu, skipTo }: Pick<HeaderLineProps, 'menu' | 'skipTo'>) {
  const now = useSession();
  if (now.state !== 'signed-in') return <header className={styles.header} />;
  return <HeaderLine session={now.session} menu={menu} skipTo={skipTo} Anchor={Link} Account={AccountButton} />;
}
