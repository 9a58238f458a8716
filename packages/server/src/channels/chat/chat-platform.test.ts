import { discordDriver } from "../../testing/chat/discord-driver.ts";
import { slackDriver } from "../../testing/chat/slack-driver.ts";
import { telegramDriver } from "../../testing/chat/telegram-driver.ts";
import { chatPlatformSuite } from "./chat-platform.suite.ts";

chatPlatformSuite("Telegram", telegramDriver);
chatPlatformSuite("Slack", slackDriver);
chatPlatformSuite("Discord", discordDriver);
