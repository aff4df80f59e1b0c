// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.ApplicationCost;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.IncomeSchedule;
import org.heddle.market.model.change.Receipt;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.status.BalancePoint;
import org.heddle.market.model.status.ForecastPoint;
import org.heddle.market.model.status.MarketStatus;
import org.heddle.market.model.status.PreemptionLimit;
import org.heddle.market.model.status.PricePoint;
import org.heddle.market.model.status.QueueStatus;
import org.heddle.market.model.status.Quote;
import org.heddle.market.security.ApiKey;
import org.heddle.market.security.RefusedException;

/**
 * Writes answers as JSON, version {@value #VERSION}: within a version fields may be added, but not renamed or removed.
 * Credits, rates and slots are texts with plain decimals, since they are exact and may have more digits than a
 * floating-point number; times are milliseconds since 1970. The code writes each field by hand, so that a renamed
 * record component does not change the API.
 */
final class MarketJson {
    static final int VERSION = 1;
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final long HOUR_MILLIS = 3_600_000;
    private static final MathContext DIGITS = new MathContext(9);

    private MarketJson() {}

    /** Writes the fields of one answer. */
    @FunctionalInterface
    interface Body {
        void writeTo(JsonGenerator json) throws IOException;
    }

    /** Writes one element of a list. */
    @FunctionalInterface
    interface Element<T> {
        void write(JsonGenerator json, T element) throws IOException;
    }

    static byte[] bytes(Body body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(1_024);
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            json.writeStartObject();
            json.writeNumberField("version", VERSION);
            body.writeTo(json);
            json.writeEndObject();
            json.writeRaw('\n');
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return out.toByteArray();
    }

    static <T> Body list(String name, List<T> elements, Element<T> element) {
        return json -> {
            json.writeArrayFieldStart(name);
            for (T one : elements) {
                json.writeStartObject();
                element.write(json, one);
                json.writeEndObject();
            }
            json.writeEndArray();
        };
    }

    static Body refusal(RefusedException refusal) {
        return json -> {
            json.writeObjectFieldStart("error");
            json.writeNumberField("status", refusal.kind().status());
            json.writeStringField("code", refusal.code());
            json.writeStringField("message", refusal.sentence());
            json.writeEndObject();
        };
    }

    static Body price(MarketStatus status) {
        return json -> {
            json.writeStringField("cluster", status.terms().clusterId());
            json.writeNumberField("epoch", status.epoch());
            text(json, "price", status.price());
            json.writeNumberField("rateUnitMillis", status.terms().rateUnitMillis());
            text(json, "capacity", status.capacity());
            text(json, "used", status.used());
            json.writeNumberField("intervalMillis", status.terms().intervalMillis());
            time(json, "epochStartMillis", status.epochStart());
            time(json, "nextEpochMillis", status.nextEpoch());
            time(json, "nowMillis", status.now());
        };
    }

    /** An account's cost of a slot-hour: its rate, converted from the rate unit to an hour. */
    static String slotHourCost(SpendingRate rate, long rateUnitMillis) {
        BigDecimal hour = new BigDecimal(rate.toString())
                .multiply(BigDecimal.valueOf(HOUR_MILLIS))
                .divide(BigDecimal.valueOf(rateUnitMillis), DIGITS)
                .stripTrailingZeros();
        return hour.scale() < 0 ? hour.setScale(0).toPlainString() : hour.toPlainString();
    }

    static Body status(MarketStatus status) {
        return json -> {
            price(status).writeTo(json);
            json.writeStringField("chargePolicy", word(status.terms().charge()));
            json.writeStringField("exhaustionPolicy", word(status.terms().exhaustion()));
            json.writeStringField("outagePolicy", word(status.terms().outage()));
            json.writeBooleanField("earlyEpoch", status.terms().earlyEpoch());
            text(json, "moneySupply", status.moneySupply());
            text(json, "revenue", status.revenue());
            json.writeNumberField("accounts", status.queues());
            json.writeStringField("store", word(status.store()));
            json.writeStringField("storeProblem", status.storeProblem());
            json.writeStringField("unmeasured", status.unmeasured());
            json.writeNumberField("unbilledEpochs", status.unbilledEpochs());
            json.writeNumberField("preemptedContainers", status.waste().containers());
            json.writeNumberField("preemptedSlotMillis", status.waste().lostSlotMillis());
            json.writeNumberField("usedSlotMillis", status.waste().usedSlotMillis());
            preemptionLimit(json, status.waste().limit());
        };
    }

    private static void preemptionLimit(JsonGenerator json, PreemptionLimit limit) throws IOException {
        if (limit.isLimited()) {
            json.writeNumberField("preemptionMaxLostWork", limit.maxLost());
            json.writeNumberField("preemptionAvailableSlotMillis", limit.availableSlotMillis());
            json.writeNumberField("preemptionMostSlotMillis", limit.mostSlotMillis());
        } else {
            json.writeNullField("preemptionMaxLostWork");
            json.writeNullField("preemptionAvailableSlotMillis");
            json.writeNullField("preemptionMostSlotMillis");
        }
        json.writeNumberField("preemptionWaiting", limit.waiting());
        json.writeNumberField("preemptionNeededSlotMillis", limit.neededSlotMillis());
    }

    static void account(JsonGenerator json, QueueStatus queue, long rateUnitMillis) throws IOException {
        json.writeStringField("name", queue.name());
        text(json, "budget", queue.budget());
        text(json, "rate", queue.rate());
        json.writeStringField("slotHourCost", slotHourCost(queue.rate(), rateUnitMillis));
        text(json, "effectiveRate", queue.effectiveRate());
        json.writeNumberField("share", queue.share().toDouble());
        json.writeStringField("shareExactly", queue.share().toFraction());
        text(json, "entitled", queue.entitled());
        json.writeNumberField("wholeSlots", queue.wholeSlots());
        text(json, "used", queue.used());
        json.writeNumberField("usedContainers", queue.usedContainers());
        json.writeNumberField("pendingContainers", queue.pendingContainers());
        json.writeStringField("state", word(queue.state()));
        text(json, "accrued", queue.accrued());
        duration(json, "runwayMillis", queue.runway());
    }

    static void pricePoint(JsonGenerator json, PricePoint point) throws IOException {
        json.writeNumberField("firstEpoch", point.firstEpoch());
        json.writeNumberField("epochs", point.epochs());
        time(json, "startMillis", point.start());
        json.writeNumberField("millis", point.millis());
        text(json, "price", point.price());
        text(json, "capacity", point.capacity());
        text(json, "used", point.used());
        text(json, "revenue", point.revenue());
        json.writeNumberField("payingAccounts", point.payingQueues());
    }

    static void forecastPoint(JsonGenerator json, ForecastPoint point) throws IOException {
        time(json, "atMillis", point.at());
        text(json, "low", point.low());
        text(json, "middle", point.middle());
        text(json, "high", point.high());
    }

    static void balancePoint(JsonGenerator json, BalancePoint point) throws IOException {
        time(json, "atMillis", point.at());
        text(json, "balance", point.balance());
    }

    static void ratePoint(JsonGenerator json, StatementLine line) throws IOException {
        time(json, "atMillis", line.at());
        text(json, "rate", line.rate());
    }

    static void statementLine(JsonGenerator json, StatementLine line) throws IOException {
        json.writeNumberField("sequence", line.sequence());
        time(json, "atMillis", line.at());
        json.writeStringField("kind", word(line.kind()));
        json.writeNumberField("epoch", line.epoch());
        text(json, "amount", line.amount());
        text(json, "balance", line.balance());
        text(json, "rate", line.rate());
        json.writeNumberField("slotMillis", line.slotMillis());
        json.writeStringField("text", line.text());
    }

    static void applicationCost(JsonGenerator json, ApplicationCost cost) throws IOException {
        json.writeStringField("application", cost.application());
        json.writeStringField("name", cost.name());
        json.writeStringField("user", cost.user());
        json.writeNumberField("count", cost.count());
        time(json, "firstMillis", cost.first());
        time(json, "lastMillis", cost.last());
        json.writeNumberField("slotMillis", cost.slotMillis());
        text(json, "charged", cost.charged());
    }

    static void income(JsonGenerator json, IncomeSchedule income) throws IOException {
        json.writeStringField("id", income.id());
        text(json, "total", income.total());
        json.writeNumberField("everySeconds", income.every().toSeconds());
        json.writeObjectFieldStart("weights");
        for (Map.Entry<String, Long> weight : income.weights().entrySet()) {
            json.writeNumberField(weight.getKey(), weight.getValue());
        }
        json.writeEndObject();
        time(json, "startMillis", income.start());
        text(json, "cap", income.cap());
    }

    static void auditEntry(JsonGenerator json, AuditEntry entry) throws IOException {
        json.writeNumberField("sequence", entry.sequence());
        time(json, "atMillis", entry.at());
        json.writeStringField("principal", entry.principal());
        json.writeStringField("origin", entry.origin());
        json.writeStringField("action", entry.action());
        json.writeStringField("target", entry.target());
        json.writeObjectFieldStart("details");
        for (Map.Entry<String, String> detail : entry.details().entrySet()) {
            json.writeStringField(detail.getKey(), detail.getValue());
        }
        json.writeEndObject();
        json.writeStringField("previousHash", entry.previousHash());
        json.writeStringField("hash", entry.hash());
    }

    static Body quote(Quote quote) {
        return json -> {
            json.writeNumberField("share", quote.share().toDouble());
            text(json, "cost", quote.cost());
            text(json, "leastCost", quote.leastCost());
            text(json, "mostCost", quote.mostCost());
            duration(json, "durationMillis", quote.duration());
            duration(json, "shortestMillis", quote.shortest());
            duration(json, "longestMillis", quote.longest());
            json.writeBooleanField("affordable", quote.affordable());
            if (quote.neededRate().isPresent()) {
                text(json, "neededRate", quote.neededRate().get());
            } else {
                json.writeNullField("neededRate");
            }
            json.writeNumberField("pricesSeen", quote.pricesSeen());
        };
    }

    static Body receipt(Receipt receipt) {
        return json -> {
            json.writeNumberField("sequence", receipt.sequence());
            time(json, "atMillis", receipt.at());
            json.writeNumberField("effectiveEpoch", receipt.effectiveEpoch());
            text(json, "balance", receipt.balance());
            json.writeBooleanField("repeated", receipt.repeated());
        };
    }

    static void key(JsonGenerator json, ApiKey key, long lastUsedMillis, long nowMillis) throws IOException {
        json.writeStringField("id", key.id());
        json.writeStringField("owner", key.owner());
        json.writeStringField("role", key.cap().word());
        json.writeBooleanField("live", key.isLive(nowMillis));
        json.writeNumberField("createdMillis", key.createdMillis());
        orNull(json, "notAfterMillis", key.notAfterMillis(), Long.MAX_VALUE);
        orNull(json, "revokedMillis", key.revokedMillis(), 0);
        orNull(json, "lastUsedMillis", lastUsedMillis, 0);
    }

    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static void orNull(JsonGenerator json, String name, long value, long none) throws IOException {
        if (value == none) {
            json.writeNullField(name);
        } else {
            json.writeNumberField(name, value);
        }
    }

    private static void text(JsonGenerator json, String name, Object value) throws IOException {
        json.writeStringField(name, value.toString());
    }

    private static void time(JsonGenerator json, String name, Instant time) throws IOException {
        json.writeNumberField(name, time.toEpochMilli());
    }

    private static void duration(JsonGenerator json, String name, Optional<Duration> duration) throws IOException {
        if (duration.isPresent()) {
            json.writeNumberField(name, duration.get().toMillis());
        } else {
            json.writeNullField(name);
        }
    }
}
