/** The ways in that `holdpoint.yaml` names under `sign_in`. */

import * as z from "zod";
import { PERSON_ROLES, type PersonRole } from "../kernel/people/person.ts";
import { ConfigError, type Environment } from "./yaml-file.ts";

const Name = z.string().min(1).max(100);
const Role = z.enum(PERSON_ROLES);

/** What a group gives: a role, or a role and teams. */
const Group = z
  .union([Role, z.strictObject({ role: Role, teams: z.array(Name).max(100).optional() })])
  .transform((group) =>
    typeof group === "string" ? { role: group, teams: [] } : { role: group.role, teams: group.teams ?? [] },
  );

const ProviderFile = z.strictObject({
  issuer: z.url({ protocol: /^https?$/ }).max(2_048),
  client_id: z.string().min(1).max(1_000),
  /** The environment variable with the secret, so that no secret is in a file. Absent: a public client. */
  client_secret_env: z.string().min(1).optional(),
  /** What the button on the sign-in page says. */
  label: Name.optional(),
  scopes: z.array(z.string().min(1).max(200)).max(20).optional(),
  /** Group at the provider → what it gives here. Absent: only people whose account is linked can sign in. */
  groups: z.record(z.string().min(1).max(500), Group).optional(),
  /** The claim that lists the groups. */
  groups_claim: z.string().min(1).max(200).optional(),
  workspace: Name.optional(),
});

export const SignInFile = z.strictObject({
  oidc: z.record(z.string().regex(/^[a-z][\w-]{0,63}$/), ProviderFile).optional(),
  /** The e-mail channel that sends sign-in links, of this file or of the console; `false`: nobody can ask for one. */
  email: z.union([z.string().min(1), z.literal(false)]).optional(),
});

export interface OidcProvider {
  /** The name in the configuration, which stands in the callback URL. */
  readonly name: string;
  readonly label: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly scopes: readonly string[];
  readonly groupsClaim: string;
  readonly groups?: Readonly<
    Record<string, { readonly role: PersonRole; readonly teams: readonly string[] }>
  >;
  readonly workspace: string;
}

export interface SignInConfig {
  readonly providers: readonly OidcProvider[];
  /** The channel of the file that sends sign-in links; absent: none of the file does. */
  readonly emailChannel?: string;
  /** A channel that is connected in the console sends them, the first one if no name is given; absent: none of the console does. */
  readonly consoleEmail?: { readonly name?: string };
}

type File = z.infer<typeof SignInFile>;

export function readSignIn(
  file: File | undefined,
  channels: Readonly<Record<string, { readonly kind: string }>>,
  env: Environment,
): SignInConfig {
  const providers = Object.entries(file?.oidc ?? {}).map(([name, provider]) =>
    readProvider(name, provider, env),
  );
  return { providers, ...readEmail(file?.email, channels) };
}

function readProvider(name: string, file: NonNullable<File["oidc"]>[string], env: Environment): OidcProvider {
  const place = `sign_in.oidc.${name}`;
  const { protocol, hostname } = new URL(file.issuer);
  if (protocol === "http:" && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
    throw new ConfigError(`${place}.issuer must start with https:// unless it is on this machine`);
  const { scopes = ["openid", "profile", "email"], label = name, workspace = "default" } = file;
  if (!scopes.includes("openid")) throw new ConfigError(`${place}.scopes must include openid`);
  const secret = file.client_secret_env === undefined ? undefined : env[file.client_secret_env];
  if (file.client_secret_env !== undefined && secret === undefined)
    throw new ConfigError(`${place}: the environment variable ${file.client_secret_env} is not set`);
  return {
    ...{ name, label, scopes, workspace, issuer: file.issuer, clientId: file.client_id },
    groupsClaim: file.groups_claim ?? "groups",
    ...(secret === undefined ? {} : { clientSecret: secret }),
    ...(file.groups === undefined ? {} : { groups: file.groups }),
  };
}

/** The named channel, or the only e-mail channel of the file. A file without one leaves it to the console. */
function readEmail(
  named: File["email"],
  channels: Readonly<Record<string, { readonly kind: string }>>,
): Pick<SignInConfig, "emailChannel" | "consoleEmail"> {
  if (named === false) return {};
  if (named === undefined) {
    const [first, ...others] = Object.entries(channels).filter(([, { kind }]) => kind === "email");
    if (first === undefined) return { consoleEmail: {} };
    return others.length === 0 ? { emailChannel: first[0] } : {};
  }
  if (!Object.hasOwn(channels, named)) return { consoleEmail: { name: named } };
  if (channels[named]?.kind !== "email")
    throw new ConfigError(`sign_in.email: there is no e-mail channel named ${named}`);
  return { emailChannel: named };
}
