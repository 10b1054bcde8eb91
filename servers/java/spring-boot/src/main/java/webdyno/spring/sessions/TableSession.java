package webdyno.spring.sessions;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.springframework.session.MapSession;
import org.springframework.session.Session;

/**
 * A session that knows whether it was changed since it was read or written. Spring Session saves one
 * before the answer is sent and once more after it, when the next visit may have been counted.
 */
class TableSession implements Session {
    private final MapSession held;
    private boolean changed;

    private TableSession(MapSession held, boolean changed) {
        this.held = held;
        this.changed = changed;
    }

    static TableSession begun() {
        return new TableSession(new MapSession(), true);
    }

    static TableSession read(MapSession held) {
        return new TableSession(held, false);
    }

    boolean isChanged() {
        return changed;
    }

    void written() {
        changed = false;
    }

    @Override
    public String getId() {
        return held.getId();
    }

    @Override
    public String changeSessionId() {
        changed = true;
        return held.changeSessionId();
    }

    @Override
    public <T> T getAttribute(String name) {
        return held.getAttribute(name);
    }

    @Override
    public Set<String> getAttributeNames() {
        return held.getAttributeNames();
    }

    @Override
    public void setAttribute(String name, Object value) {
        changed = true;
        held.setAttribute(name, value);
    }

    @Override
    public void removeAttribute(String name) {
        changed = true;
        held.removeAttribute(name);
    }

    @Override
    public Instant getCreationTime() {
        return held.getCreationTime();
    }

    @Override
    public void setLastAccessedTime(Instant time) {
        held.setLastAccessedTime(time);
    }

    @Override
    public Instant getLastAccessedTime() {
        return held.getLastAccessedTime();
    }

    @Override
    public void setMaxInactiveInterval(Duration interval) {
        held.setMaxInactiveInterval(interval);
    }

    @Override
    public Duration getMaxInactiveInterval() {
        return held.getMaxInactiveInterval();
    }

    @Override
    public boolean isExpired() {
        return held.isExpired();
    }
}
