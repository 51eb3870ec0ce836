"""Words that are written with capitals of their own, and a phrase with them: "iphone" is iPhone, "pdf" is PDF."""

from __future__ import annotations

from ricordo.text.english import word_set
from ricordo.text.terms import fold

_WORDS = word_set(
    """
    iPhone iPad iPod iCloud iOS iPadOS iMac iMessage macOS MacBook AirPods AirTag eBay YouTube GitHub GitLab LinkedIn
    PayPal WhatsApp TikTok PostgreSQL MySQL MariaDB MongoDB SQLite DuckDB DynamoDB GraphQL TypeScript JavaScript OpenAI
    ChatGPT LaTeX WordPress PowerPoint OneDrive OneNote PlayStation Xbox IKEA BMW NASA DHL UPS HMRC NHS CSV PDF JSON XML
    HTML CSS SQL API SDK CLI GPU CPU SSD USB HDMI VPN DNS HTTP HTTPS SSH AWS GCP DevOps FastAPI NumPy PyTorch TensorFlow
    RabbitMQ JetBrains QuickBooks OKR OKRs KPI KPIs RFC CV MRI VAT EU UK USA TV DIY PhD BBQ PC UI UX QR FAQ DVD LED NAS
    OCR ORM REST SaaS SEO HR ADHD DNA LiFePO4 SwiftUI NestJS NodeJS CI CRM ERP B2B RAM BIOS PCB LLM LLMs GPT
    """
)
_SPELLED = {fold(word): word for word in _WORDS}


def spelled(phrase: str) -> str:
    """A phrase as it should be shown: words that have capitals of their own with them, and a capital at its beginning
    unless its first word has one inside."""
    words = [
        _SPELLED.get(fold(word), word) if word == word.lower() or word.istitle() else word for word in phrase.split()
    ]
    written = " ".join(words)
    return written[:1].upper() + written[1:] if words and words[0] == words[0].lower() else written


def has_own_spelling(word: str) -> bool:
    """Whether a word is a make, product or organization that has capitals of its own."""
    return fold(word) in _SPELLED
