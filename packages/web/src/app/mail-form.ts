/** What the form of a mail server sends. */

/** A field that was left empty is not sent. What is no number goes as text, so that the server says what is wrong with it. */
export function mailIn(form: FormData): Record<string, unknown> {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const port = Number(text("port"));
  // A password may begin or end with a space.
  const password = String(form.get("password") ?? "");
  return {
    platform: "email",
    host: text("host"),
    port: Number.isInteger(port) ? port : text("port"),
    tls: text("tls"),
    ...(text("user") === "" ? {} : { user: text("user") }),
    ...(password === "" ? {} : { password }),
    from: text("from"),
    to: text("to")
      .split(",")
      .map((address) => address.trim())
      .filter((address) => address !== ""),
  };
}
