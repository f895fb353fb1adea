import { useState } from 'react';
import { Link } from 'react-router';
import { isReadable } from '#contract/accent.ts';
import { brandBounds } from '#contract/settings.ts';
import { type CompanySettings, updateBrand } from '#web/api/company-settings.ts';
import { PlansLink } from '#web/features/billing/SubscriptionNotices.tsx';
import { planNameWith } from '#web/lib/price.ts';
import { Button } from '#web/ui/Button.tsx';
import control from '#web/ui/control.module.css';
import { Field } from '#web/ui/Field.tsx';
import { Locked } from '#web/ui/Locked.tsx';
import { pngOf } from './logo.ts';
import styles from './Settings.module.css';
import { SettingsForm } from './SettingsForm.tsx';
import { useSavedDraft } from './use-saved-draft.ts';
import { words } from './words.ts';

/** Where none is chosen the picker begins with the product's own. */
const usualAccent = '#1f3f7a';

export interface BrandSectionProps {
  brand: CompanySettings['brand'];
  /** What is shown where nothing is set. */
  usualName: string;
  isUnlocked: boolean;
}

/** The name, the logo and the colour under which the company's people see the product. */
export function BrandSection({ brand, usualName, isUnlocked }: BrandSectionProps) {
  if (!isUnlocked)
    return (
      <Locked>
        {words.brandLockedBefore} {planNameWith('white-label')} {words.brandLockedAfter}{' '}
        <PlansLink>{words.seePlans}</PlansLink>
      </Locked>
    );
  return <BrandForm brand={brand} usualName={usualName} />;
}

function BrandForm({ brand, usualName }: Omit<BrandSectionProps, 'isUnlocked'>) {
  const { values, saving, hasChanges, change, discard } = useSavedDraft(
    {
      name: brand.name ?? '',
      accent: brand.accent ?? '',
      /** An address, a picture that is not saved yet, or nothing. */
      logo: brand.logoUrl ?? '',
    },
    updateBrand,
  );
  const [problem, setProblem] = useState<string>();
  const edit = (changes: Partial<typeof values>) => {
    setProblem(undefined);
    change(changes);
  };
  const isTooLight = values.accent !== '' && !isReadable(values.accent);
  const choose = async (file: File | undefined) => {
    if (!file) return;
    const logo = await pngOf(file);
    if (logo === null) setProblem(words.badLogo);
    else edit({ logo });
  };
  const save = () => {
    if (isTooLight) return;
    const { name, accent, logo } = values;
    saving.mutate({
      name: name.trim() || null,
      accent: accent || null,
      ...(logo === '' && { logo: null }),
      ...(logo.startsWith('data:') && { logo: logo.slice(logo.indexOf(',') + 1) }),
    });
  };
  return (
    <SettingsForm label={words.branding} hasChanges={hasChanges} saving={saving} onSave={save} onDiscard={discard}>
      <p className={styles.lead}>
        {words.brandLead} <Link to="/admin/chat-agent">{words.chatAgent}</Link>.
      </p>
      <Field
        label={words.name}
        dir="auto"
        placeholder={usualName}
        maxLength={brandBounds.name}
        value={values.name}
        onChange={({ target }) => edit({ name: target.value })}
      />
      <div className={styles.brand}>
        <span className={styles.logo}>
          {values.logo === '' ? words.noLogo : <img src={values.logo} alt={values.name || usualName} />}
        </span>
        <label className={styles.file}>
          <input
            type="file"
            accept="image/*"
            onChange={({ target }) => {
              void choose(target.files?.[0]);
              target.value = '';
            }}
          />
          <span>{values.logo === '' ? words.chooseLogo : words.chooseAnotherLogo}</span>
        </label>
        {values.logo !== '' && (
          <Button look="plain" onClick={() => edit({ logo: '' })}>
            {words.removeLogo}
          </Button>
        )}
      </div>
      <p className={styles.said} data-kind={problem ? 'problem' : undefined} role={problem ? 'alert' : undefined}>
        {problem ?? words.anyPicture(brandBounds.logoWidth, brandBounds.logoHeight)}
      </p>
      <div className={styles.brand}>
        <label className={styles.accent}>
          <span>{words.accent}</span>
          <input
            type="color"
            className={`${control.field} ${styles.colour}`}
            value={values.accent || usualAccent}
            onChange={({ target }) => edit({ accent: target.value })}
          />
        </label>
        {values.accent !== '' && (
          <>
            <span>{values.accent}</span>
            <Button look="plain" onClick={() => edit({ accent: '' })}>
              {words.usualColour}
            </Button>
          </>
        )}
      </div>
      <p className={styles.said} data-kind={isTooLight ? 'problem' : undefined} role={isTooLight ? 'alert' : undefined}>
        {isTooLight ? words.tooLight : words.accentHint}
      </p>
    </SettingsForm>
  );
}
