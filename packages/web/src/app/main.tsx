import "@holdpoint/react/style.css";
import "../page.css";
