import { roles } from '#contract/permissions.ts';
import type { Person } from '#web/api/team.ts';
import control from '#web/ui/control.module.css';
import { roleNames } from './people.ts';
import { useTeamTools } from './plan.tsx';
import styles from './Team.module.css';

/** Chooses a role; locked where the plan does not have that, with the reason at hand. */
export function RoleSelect({
  label,
  value,
  pending = false,
  onChange,
}: {
  label: string;
  value: Person['role'];
  pending?: boolean;
  onChange: (role: Person['role']) => void;
}) {
  const { unlocked, reasonId } = useTeamTools();
  return (
    <select
      className={`${control.field} ${styles.select}`}
      aria-label={label}
      value={value}
      disabled={!unlocked}
      // Not disabled meanwhile: that would take the focus away from who works by keyboard.
      aria-busy={pending || undefined}
      aria-describedby={unlocked ? undefined : reasonId}
      onChange={(event) => {
        const chosen = roles.find((role) => role === event.target.value);
        if (chosen && !pending) onChange(chosen);
      }}
    >
      {roles.map((role) => (
        <option key={role} value={role}>
          {roleNames[role]}
        </option>
      ))}
    </select>
  );
}
