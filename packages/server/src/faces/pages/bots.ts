/** Programs that fetch a link to draw a preview of it. They are not people, so their look is not an opening. */

const PREVIEWERS =
  /bot\b|slackbot|twitterbot|telegrambot|whatsapp|discordbot|facebookexternalhit|facebot|linkedinbot|skypeuripreview|microsoftpreview|teamsbot|mattermost|embedly|pinterest|redditbot|applebot|googlebot|bingbot|bingpreview|yandexbot|crawler|spider|preview|curl\/|wget\/|python-requests|go-http-client|headless-link-checker/i;

/** A look that counts is a person's: a GET by a browser that is not merely fetching ahead. */
export function isPersonLooking(
  method: string,
  userAgent: string | undefined,
  purpose: string | undefined,
): boolean {
  if (method !== "GET") return false;
  if (purpose !== undefined && /prefetch|preview|prerender/i.test(purpose)) return false;
  return userAgent !== undefined && userAgent !== "" && !PREVIEWERS.test(userAgent);
}
