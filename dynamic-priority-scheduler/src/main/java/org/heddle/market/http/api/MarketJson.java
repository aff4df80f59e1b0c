// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategy;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.AnnotatedField;
import com.fasterxml.jackson.databind.introspect.AnnotatedMethod;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.Share;
import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.AccountLife;
import org.heddle.market.model.change.AccountRole;
import org.heddle.market.model.change.ApplicationCost;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.IncomeSchedule;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.status.BalancePoint;
import org.heddle.market.model.status.ForecastPoint;
import org.heddle.market.model.status.MarketStatus;
import org.heddle.market.model.status.PreemptionLimit;
import org.heddle.market.model.status.PricePoint;
import org.heddle.market.model.status.QueueStatus;
import org.heddle.market.model.status.StoreState;
import org.heddle.market.model.terms.ChargePolicy;
import org.heddle.market.model.terms.OutagePolicy;
import org.heddle.market.security.Access;
import org.heddle.market.security.ApiKey;
import org.heddle.market.security.Caller;
import org.heddle.market.security.RefusedException;
import org.heddle.market.security.Role;
import org.heddle.scheduler.http.RecordMapper;
import org.jspecify.annotations.Nullable;

/**
 * Answers as JSON, version {@value #VERSION}: records of the model, and those below where an answer is another one.
 * Within a version fields may be added, but not renamed or removed; a test compares them with openapi.json. Credits,
 * rates and slots are texts with plain decimals, since they are exact and may have more digits than a floating-point
 * number; times are milliseconds, and their names end in Millis.
 */
final class MarketJson {
    static final int VERSION = 1;
    private static final ObjectMapper MAPPER = RecordMapper.create()
            .setPropertyNamingStrategy(new Millis())
            .registerModule(new SimpleModule()
                    .addSerializer(Credits.class, ToStringSerializer.instance)
                    .addSerializer(SpendingRate.class, ToStringSerializer.instance)
                    .addSerializer(Slots.class, ToStringSerializer.instance)
                    .addSerializer(
                            Share.class, RecordMapper.writer((json, share) -> json.writeNumber(share.toDouble())))
                    .addSerializer(
                            Instant.class, RecordMapper.writer((json, time) -> json.writeNumber(time.toEpochMilli())))
                    .addSerializer(
                            Duration.class, RecordMapper.writer((json, time) -> json.writeNumber(time.toMillis())))
                    .addSerializer(
                            Optional.class,
                            RecordMapper.writer((json, value) -> json.writeObject(((Optional<?>) value).orElse(null)))))
            .addMixIn(PricePoint.class, PricePointNames.class);

    private static final long HOUR_MILLIS = 3_600_000;
    private static final MathContext DIGITS = new MathContext(9);

    /** Names of times. */
    private static final class Millis extends PropertyNamingStrategy {
        private static final long serialVersionUID = 1;

        @Override
        public String nameForField(MapperConfig<?> config, AnnotatedField field, String name) {
            return name(field.getType(), name);
        }

        @Override
        public String nameForGetterMethod(MapperConfig<?> config, AnnotatedMethod method, String name) {
            return name(method.getType(), name);
        }

        private static String name(JavaType type, String name) {
            boolean isTime = type.hasRawClass(Instant.class)
                    || type.containedTypeOrUnknown(0).hasRawClass(Duration.class);
            return isTime ? name + "Millis" : name;
        }
    }

    abstract static class PricePointNames {
        @JsonProperty("payingAccounts")
        int payingQueues;
    }

    private record Answer(int version, @JsonUnwrapped Object fields) {}

    record Refusal(Failure error) {
        static Refusal of(RefusedException refusal) {
            return new Refusal(new Failure(refusal.kind().status(), refusal.code(), refusal.sentence()));
        }
    }

    record Failure(int status, String code, String message) {}

    record Time(Instant now, long epoch, Instant epochStart) {}

    record Price(
            String cluster,
            long epoch,
            SpendingRate price,
            long rateUnitMillis,
            Slots capacity,
            Slots used,
            long intervalMillis,
            Instant epochStart,
            Instant nextEpoch,
            Instant now) {
        static Price of(MarketStatus status) {
            return new Price(
                    status.terms().clusterId(),
                    status.epoch(),
                    status.price(),
                    status.terms().rateUnitMillis(),
                    status.capacity(),
                    status.used(),
                    status.terms().intervalMillis(),
                    status.epochStart(),
                    status.nextEpoch(),
                    status.now());
        }
    }

    /** The preemptionX that are null say that nothing limits preemption. */
    record Status(
            @JsonUnwrapped Price market,
            ChargePolicy chargePolicy,
            OutagePolicy outagePolicy,
            Credits moneySupply,
            Credits revenue,
            int accounts,
            StoreState store,
            String storeProblem,
            String unmeasured,
            long unbilledEpochs,
            long preemptedContainers,
            long preemptedSlotMillis,
            long usedSlotMillis,
            @Nullable Double preemptionMaxLostWork,
            @Nullable Long preemptionAvailableSlotMillis,
            @Nullable Long preemptionMostSlotMillis,
            int preemptionWaiting,
            long preemptionNeededSlotMillis) {
        static Status of(MarketStatus status) {
            PreemptionLimit limit = status.waste().limit();
            return new Status(
                    Price.of(status),
                    status.terms().charge(),
                    status.terms().outage(),
                    status.moneySupply(),
                    status.revenue(),
                    status.queues(),
                    status.store(),
                    status.storeProblem(),
                    status.unmeasured(),
                    status.unbilledEpochs(),
                    status.waste().containers(),
                    status.waste().lostSlotMillis(),
                    status.waste().usedSlotMillis(),
                    limit.isLimited() ? (Double) limit.maxLost() : null,
                    limit.isLimited() ? (Long) limit.availableSlotMillis() : null,
                    limit.isLimited() ? (Long) limit.mostSlotMillis() : null,
                    limit.waiting(),
                    limit.neededSlotMillis());
        }
    }

    record Prices(List<PricePoint> prices) {}

    record Forecast(List<ForecastPoint> forecast) {}

    record WhoAmI(String name, Caller.How by, List<String> roles) {
        static WhoAmI of(Caller caller) {
            return new WhoAmI(
                    caller.name(),
                    caller.how(),
                    caller.roles().stream().map(Role::word).toList());
        }
    }

    record Accounts(List<Account> accounts) {}

    record OneAccount(Account account) {}

    /** An account, as a caller sees it. */
    record Account(
            @JsonUnwrapped QueueStatus queue,
            String slotHourCost,
            String shareExactly,
            boolean yours,
            boolean maySetRate) {
        static Account of(QueueStatus queue, ApiRequest x) {
            long rateUnitMillis = x.market().status().terms().rateUnitMillis();
            return new Account(
                    queue,
                    MarketJson.slotHourCost(queue.rate(), rateUnitMillis),
                    queue.share().toFraction(),
                    x.isMember(queue.name()),
                    x.may(Access.Action.SET_RATE, queue.name()));
        }
    }

    record Members(String account, List<Member> members) {
        static Members of(AccountLife life) {
            return new Members(
                    life.name(),
                    new TreeMap<>(life.members())
                            .entrySet().stream()
                                    .map(each -> new Member(each.getKey(), each.getValue()))
                                    .toList());
        }
    }

    record Member(String user, AccountRole role) {}

    record ClosedAccounts(List<ClosedAccount> accounts) {}

    /** A closed account; statements are asked for by its reference. */
    record ClosedAccount(String name, String reference, Instant opened, Instant closed) {
        static ClosedAccount of(AccountLife life) {
            return new ClosedAccount(
                    life.name(),
                    life.reference(),
                    Instant.ofEpochMilli(life.openedMillis()),
                    Instant.ofEpochMilli(life.closedMillis()));
        }
    }

    record Statement(List<StatementLine> lines) {}

    record Applications(List<ApplicationCost> applications) {}

    record Balances(List<BalancePoint> balances) {}

    record Rates(List<RatePoint> rates) {}

    record RatePoint(Instant at, SpendingRate rate) {}

    record Incomes(List<Income> incomes) {
        static Incomes of(List<IncomeSchedule> incomes) {
            return new Incomes(incomes.stream()
                    .map(each -> new Income(
                            each.id(),
                            each.total(),
                            each.every().toSeconds(),
                            each.weights(),
                            each.start(),
                            each.cap(),
                            each.terms().zone(),
                            each.terms().perSlot(),
                            each.terms().rollOver()))
                    .toList());
        }
    }

    /** @param zone of calendar months; empty for a fixed period */
    record Income(
            String id,
            Credits total,
            long everySeconds,
            Map<String, Long> weights,
            Instant start,
            Credits cap,
            String zone,
            boolean perSlot,
            int rollOver) {}

    record Audit(List<AuditEntry> entries) {}

    record Keys(List<Key> keys) {}

    record OneKey(Key key) {}

    record NewKey(Key key, String secret, String cluster) {}

    /** A key; a time is null if there is none. */
    record Key(
            String id,
            String owner,
            String role,
            boolean live,
            long createdMillis,
            @Nullable Long notAfterMillis,
            @Nullable Long revokedMillis,
            @Nullable Long lastUsedMillis) {
        static Key of(ApiKey key, long lastUsedMillis, long nowMillis) {
            return new Key(
                    key.id(),
                    key.owner(),
                    key.cap().word(),
                    key.isLive(nowMillis),
                    key.createdMillis(),
                    key.notAfterMillis() == Long.MAX_VALUE ? null : key.notAfterMillis(),
                    key.revokedMillis() == 0 ? null : key.revokedMillis(),
                    lastUsedMillis == 0 ? null : lastUsedMillis);
        }
    }

    private MarketJson() {}

    /** The version and the fields of a record. */
    static byte[] bytes(Object fields) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(1_024);
        try {
            MAPPER.writeValue(out, new Answer(VERSION, fields));
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        out.write('\n');
        return out.toByteArray();
    }

    /** An account's cost of a slot-hour: its rate, converted from the rate unit to an hour. */
    static String slotHourCost(SpendingRate rate, long rateUnitMillis) {
        BigDecimal hour = new BigDecimal(rate.toString())
                .multiply(BigDecimal.valueOf(HOUR_MILLIS))
                .divide(BigDecimal.valueOf(rateUnitMillis), DIGITS)
                .stripTrailingZeros();
        return hour.scale() < 0 ? hour.setScale(0).toPlainString() : hour.toPlainString();
    }
}
