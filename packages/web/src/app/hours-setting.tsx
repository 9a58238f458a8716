/** When people work: what `business` means in a ladder. */

import type { HoursIn, SettingsOut } from "@holdpoint/protocol";
import type { ReactNode } from "react";
import { Origin, SettingForm } from "./setting-form.tsx";
import { hoursIn, hoursText, WEEKDAYS } from "./settings-patch.ts";

const WORDS = {
  title: "Business hours",
  hint: "A ladder that says “2h business” counts these hours only. A change counts for questions that are asked from now on.",
  save: "Save the hours",
  zone: "Time zone, such as Europe/Berlin",
  days: "Working days",
  names: { mon: "Mon", tue: "Tue", wed: "Wed", thu: "Thu", fri: "Fri", sat: "Sat", sun: "Sun" },
  open: "Work begins at",
  close: "Work ends at",
  holidays: "Holidays, such as 2026-12-25, one on each line",
};

interface HoursSettingProps {
  readonly settings: SettingsOut;
  readonly onSaved: () => void;
}

export function HoursSetting({ settings, onSaved }: HoursSettingProps): ReactNode {
  return (
    <SettingForm
      {...{ title: WORDS.title, hint: WORDS.hint, save: WORDS.save }}
      settings={settings}
      loadedOf={({ changed }) => changed.hours ?? null}
      patchOf={(form) => ({ hours: hoursIn(form) })}
      onSaved={onSaved}
    >
      {({ changed, configured }, back) => (
        <HoursFields hours={changed.hours ?? configured.hours}>
          {changed.hours === undefined ? null : (
            <Origin of={WORDS.title} configured={hoursText(configured.hours)} onBack={() => back("hours")} />
          )}
        </HoursFields>
      )}
    </SettingForm>
  );
}

function HoursFields({
  hours,
  children,
}: {
  readonly hours: HoursIn;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <>
      <label>
        {WORDS.zone}
        <input name="time_zone" defaultValue={hours.time_zone} autoComplete="off" />
      </label>
      <fieldset className="app-days">
        <legend>{WORDS.days}</legend>
        {WEEKDAYS.map((day) => (
          <label key={day} className="app-check">
            <input type="checkbox" name="days" value={day} defaultChecked={hours.days?.includes(day)} />
            {WORDS.names[day]}
          </label>
        ))}
      </fieldset>
      <label>
        {WORDS.open}
        <input name="open" defaultValue={hours.open} placeholder="09:00" autoComplete="off" />
      </label>
      <label>
        {WORDS.close}
        <input name="close" defaultValue={hours.close} placeholder="17:00" autoComplete="off" />
      </label>
      <label>
        {WORDS.holidays}
        <textarea name="holidays" rows={3} defaultValue={hours.holidays?.join("\n")} />
      </label>
      {children}
    </>
  );
}
