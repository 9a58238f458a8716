/** The parts of a server that let people sign in: identity providers, links by e-mail, passkeys. */

import type { PageDeps } from "./faces/pages/index.ts";
import type { RestDeps } from "./faces/rest/index.ts";
import { EmailSignIns } from "./identity/email-sign-in.ts";
import { OidcSignIns } from "./identity/oidc/sign-ins.ts";
import type { Passkeys } from "./identity/passkeys.ts";
import type { LiveSettings } from "./live-settings.ts";
import type { ServerOptions } from "./server.ts";

/** The ways in besides passkeys and one-time links. */
export function signInsOver(
  { signIn, keys = [] }: ServerOptions,
  parts: Pick<RestDeps, "engine" | "ids" | "publicUrl">,
  live: Pick<LiveSettings, "letters">,
  fault: (place: string) => (error: unknown) => void,
): Pick<PageDeps, "oidc" | "emailSignIns"> {
  const { providers = [], sendLetter, consoleEmail } = signIn ?? {};
  const onTrouble = (provider: string, error: unknown) => fault(`sign-in by ${provider}`)(error);
  const oidc = new OidcSignIns({ ...parts, providers, onTrouble });
  if (sendLetter === undefined && consoleEmail === undefined) return { oidc };
  const sending = () => sendLetter ?? live.letters(consoleEmail?.name);
  const workspaces = [...new Set(["default", ...[...keys, ...providers].map(({ workspace }) => workspace)])];
  const mail = { ...parts, workspaces, sending, onTrouble: fault("sign-in by e-mail") };
  return { oidc, emailSignIns: new EmailSignIns(mail) };
}

export function invitingBy(mail: EmailSignIns | undefined): Pick<RestDeps, "invite"> {
  if (mail === undefined) return {};
  return { invite: (workspace, by, person) => mail.invite(workspace, by, person) };
}

/** A name that no file has is a channel of the console. A mistyped one is told here, because it may also be connected later. */
export function warnOfMissingMail(live: Pick<LiveSettings, "letters">, { signIn, log }: ServerOptions): void {
  const name = signIn?.consoleEmail?.name;
  if (name === undefined || live.letters(name) !== undefined) return;
  const message = `sign_in.email: there is no e-mail channel named ${name}. Until one is connected in the console, nobody can ask for a sign-in link.`;
  log?.({ level: "warn", place: "sign-in by e-mail", message });
}

/** A passkey belongs to one host name for good, so a changed public URL leaves the old ones without use. */
export async function warnOfLostPasskeys(
  passkeys: Passkeys,
  { publicUrl, log }: ServerOptions,
): Promise<void> {
  for (const host of await passkeys.lostHosts()) {
    const message = `Passkeys that were made for ${host} do not work at ${publicUrl}. Their owners have to add new ones, or set HOLDPOINT_PUBLIC_URL back to ${host}.`;
    log?.({ level: "warn", place: "passkeys", message });
  }
}
